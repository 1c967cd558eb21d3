"""Writes the table in docs/jax-releases.md from what pytest has reported under each release: `make test-matrix`."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

PAGE = Path(__file__).parent.parent / "docs" / "jax-releases.md"
START, END = "<!-- table -->", "<!-- end of table -->"


def row_of(release: str, report: Path) -> tuple[str, bool]:
    """The row of a release, `0.9.2@3.12`, and whether all is well: it was run and nothing failed."""
    jax, _, python = release.partition("@")
    if not report.is_file():
        return f"| {jax} | {python} | does not install here | | |", False
    count: Counter[str] = Counter()
    for case in ET.parse(report).iter("testcase"):
        kinds = {child.tag for child in case}
        count["failed" if kinds & {"failure", "error"} else "skipped" if "skipped" in kinds else "passed"] += 1
    ran = count["passed"] + count["failed"] > 0
    return f"| {jax} | {python} | {count['passed']} | {count['skipped']} | {count['failed']} |", ran and not count[
        "failed"
    ]


def with_table(page: str, rows: list[str]) -> str:
    """The page with another table."""
    head, _, rest = page.partition(START)
    table = ["", "| JAX | Python | passed | skipped | failed |", "| --- | --- | --: | --: | --: |", *rows, ""]
    return f"{head}{START}" + "\n".join(table) + f"{END}{rest.partition(END)[2]}"


def main() -> int:
    """Writes the table; the exit code says whether every release was run without a failure."""
    folder, *releases = sys.argv[1:]
    found = [row_of(release, Path(folder) / f"{release}.xml") for release in releases]
    page = with_table(PAGE.read_text(encoding="utf-8"), [row for row, _ in found])
    PAGE.write_text(page, encoding="utf-8")
    sys.stdout.write("\n".join(row for row, _ in found) + "\n")
    return 0 if all(well for _, well in found) else 1


if __name__ == "__main__":
    sys.exit(main())

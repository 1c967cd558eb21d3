"""Writes docs/rules/ and the table of rules in README.md from the docstrings of the rules: `make docs`."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from pallas_lsp.rules.pages import page_of, summary_of
from pallas_lsp.rules.registry import RULES

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
PAGES = ROOT / "docs" / "rules"
TABLE = re.compile(r"(?<=<!-- rules -->\n).*(?=<!-- end of rules -->)", re.DOTALL)


def table() -> str:
    """The rules as a Markdown table, each linked to its page."""
    rows = ["| Code | Rule | Severity | What it reports |", "| --- | --- | --- | --- |"]
    for rule in RULES:
        severity = rule.severity.value if rule.default else f"{rule.severity.value}, off by default"
        rows.append(f"| {rule.code} | [{rule.name}](docs/rules/{rule.name}.md) | {severity} | {summary_of(rule)} |")
    return "\n".join(rows) + "\n"


def generated() -> dict[Path, str]:
    """The text of every generated file, by path."""
    pages = {PAGES / f"{rule.name}.md": page_of(rule) for rule in RULES}
    return {**pages, README: TABLE.sub(lambda _: table(), README.read_text(encoding="utf-8"))}


def stale() -> list[Path]:
    """Pages of rules that are no more."""
    return sorted(set(PAGES.glob("*.md")) - set(generated()))


def main() -> int:
    """Writes all files and removes stale pages."""
    for page in stale():
        page.unlink()
    for path, text in generated().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

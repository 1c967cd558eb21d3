"""One block a file."""

from __future__ import annotations

from collections.abc import Sequence

from pallas_lsp.cli.console import Palette
from pallas_lsp.cli.formats.shared import lines, marked_code, one_line, place
from pallas_lsp.cli.results import Result


def render(results: Sequence[Result], palette: Palette) -> str:
    """Writes the findings of all files."""
    rows = []
    for result in results:
        if not result.violations:
            continue
        places = ["{}:{}".format(*place(violation.finding.range.start)) for violation in result.violations]
        width = max(map(len, places))
        rows.append(f"{palette.bold(result.shown)}:")
        for where, violation in zip(places, result.violations, strict=True):
            message = one_line(violation.finding.message)
            rows.append(f"  {where:<{width}} {marked_code(violation, palette)} {message}")
        rows.append("")
    return lines(rows)

"""One block a file."""

from __future__ import annotations

from collections.abc import Sequence

from pallas_lsp.cli.console import Palette
from pallas_lsp.cli.formats.shared import lines, marked_code, one_line
from pallas_lsp.cli.results import Result, cell_of, row_and_column_of


def render(results: Sequence[Result], palette: Palette) -> str:
    """Writes the findings of all files."""
    rows = []
    for result in results:
        if not result.violations:
            continue
        findings = (violation.finding for violation in result.violations)
        places = [row_and_column_of(cell_of(finding), finding.range.start) for finding in findings]
        width = max(map(len, places))
        rows.append(f"{palette.bold(result.shown)}:")
        for where, violation in zip(places, result.violations, strict=True):
            message = one_line(violation.finding.message)
            rows.append(f"  {where:<{width}} {marked_code(violation, palette)} {message}")
        rows.append("")
    return lines(rows)

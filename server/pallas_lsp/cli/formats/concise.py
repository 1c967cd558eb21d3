"""One line a finding: `path:row:column: CODE [*] message`."""

from __future__ import annotations

from collections.abc import Sequence

from pallas_lsp.cli.console import Palette
from pallas_lsp.cli.formats.shared import all_violations, lines, marked_code, one_line
from pallas_lsp.cli.results import Result, cell_of, row_and_column_of


def render(results: Sequence[Result], palette: Palette) -> str:
    """Writes the findings of all files."""
    rows = []
    for result, violation in all_violations(results):
        finding = violation.finding
        colon = palette.cyan(":")
        place = row_and_column_of(cell_of(finding), finding.range.start).replace(":", colon)
        where = f"{palette.bold(result.shown)}{colon}{place}{colon}"
        rows.append(f"{where} {marked_code(violation, palette)} {one_line(finding.message)}")
    return lines(rows)

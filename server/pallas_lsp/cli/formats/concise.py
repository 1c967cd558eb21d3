"""One line a finding: `path:row:column: CODE [*] message`."""

from __future__ import annotations

from collections.abc import Sequence

from pallas_lsp.cli.console import Palette
from pallas_lsp.cli.formats.shared import all_violations, lines, marked_code, one_line, place
from pallas_lsp.cli.results import Result


def render(results: Sequence[Result], palette: Palette) -> str:
    """Writes the findings of all files."""
    rows = []
    for result, violation in all_violations(results):
        row, column = place(violation.finding.range.start)
        colon = palette.cyan(":")
        where = f"{palette.bold(result.shown)}{colon}{row}{colon}{column}{colon}"
        rows.append(f"{where} {marked_code(violation, palette)} {one_line(violation.finding.message)}")
    return lines(rows)

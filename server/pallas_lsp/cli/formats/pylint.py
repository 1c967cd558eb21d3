"""The parseable format of pylint: `path:row: [CODE] message`."""

from __future__ import annotations

from collections.abc import Sequence

from pallas_lsp.cli.console import Palette
from pallas_lsp.cli.formats.shared import all_violations, lines, message_in_file, one_line, range_in_file
from pallas_lsp.cli.results import Result


def render(results: Sequence[Result], palette: Palette) -> str:
    """Writes the findings of all files."""
    rows = []
    for result, violation in all_violations(results):
        finding = violation.finding
        row = range_in_file(finding).start.line + 1
        rows.append(f"{result.shown}:{row}: [{finding.code}] {one_line(message_in_file(finding))}")
    return lines(rows)

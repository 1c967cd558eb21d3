"""Workflow commands of GitHub Actions ("Workflow commands: setting an error message")."""

from __future__ import annotations

from collections.abc import Sequence

from pallas_lsp.cli.console import Palette
from pallas_lsp.cli.formats.shared import TOOL, all_violations, by_severity, lines, place, range_in_file
from pallas_lsp.cli.results import Result, Violation, cell_of, row_and_column_of


def render(results: Sequence[Result], palette: Palette) -> str:
    """Writes the findings of all files."""
    return lines([_command(*each) for each in all_violations(results)])


def _command(result: Result, violation: Violation) -> str:
    finding = violation.finding
    range = range_in_file(finding)
    row, column = place(range.start)
    end_row, end_column = place(range.end)
    properties = {"title": f"{TOOL} ({finding.code})", "file": result.path, "line": row, "endLine": end_row}
    if row == end_row:  # GitHub refuses columns of a range over several lines.
        properties |= {"col": column, "endColumn": end_column}
    written = ",".join(f"{key}={_escaped(str(value), ':,')}" for key, value in properties.items())
    where = f"{result.shown}:{row_and_column_of(cell_of(finding), finding.range.start)}"
    message = f"{where}: {finding.code} {finding.message}"
    return f"::{by_severity('error', 'warning', 'notice', finding.severity)} {written}::{_escaped(message)}"


def _escaped(text: str, also: str = "") -> str:
    for character in f"%\r\n{also}":
        text = text.replace(character, f"%{ord(character):02X}")
    return text

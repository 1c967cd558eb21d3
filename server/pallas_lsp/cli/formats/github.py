"""Workflow commands of GitHub Actions ("Workflow commands: setting an error message")."""

from __future__ import annotations

from collections.abc import Sequence

from pallas_lsp.cli.console import Palette
from pallas_lsp.cli.formats.shared import TOOL, all_violations, by_severity, lines, place
from pallas_lsp.cli.results import Result, Violation


def render(results: Sequence[Result], palette: Palette) -> str:
    """Writes the findings of all files."""
    return lines([_command(*each) for each in all_violations(results)])


def _command(result: Result, violation: Violation) -> str:
    finding = violation.finding
    row, column = place(finding.range.start)
    end_row, end_column = place(finding.range.end)
    properties = {"title": f"{TOOL} ({finding.code})", "file": result.path, "line": row, "endLine": end_row}
    if row == end_row:  # GitHub refuses columns of a range over several lines.
        properties |= {"col": column, "endColumn": end_column}
    written = ",".join(f"{key}={_escaped(str(value), ':,')}" for key, value in properties.items())
    message = f"{result.shown}:{row}:{column}: {finding.code} {finding.message}"
    return f"::{by_severity('error', 'warning', 'notice', finding.severity)} {written}::{_escaped(message)}"


def _escaped(text: str, also: str = "") -> str:
    for character in f"%\r\n{also}":
        text = text.replace(character, f"%{ord(character):02X}")
    return text

"""The source around each finding, the launch it belongs to, and what can be done."""

from __future__ import annotations

from collections.abc import Sequence

from pallas_lsp.cli.console import Palette
from pallas_lsp.cli.excerpts import excerpt
from pallas_lsp.cli.files import read, shown_path
from pallas_lsp.cli.formats.shared import all_violations, lines, marked_code, one_line
from pallas_lsp.cli.results import Result, Violation, cell_of, row_and_column_of
from pallas_lsp.findings import Applicability, Range, Related
from pallas_lsp.text import SourceText, UndecodableError, decode


def render(results: Sequence[Result], palette: Palette) -> str:
    """Writes the findings of all files, each followed by an empty line."""
    rows = []
    for result, violation in all_violations(results):
        rows += _finding(result, violation, palette)
        rows.append("")
    return lines(rows)


def _finding(result: Result, violation: Violation, palette: Palette) -> list[str]:
    finding = violation.finding
    rows = [f"{marked_code(violation, palette)} {palette.bold(one_line(finding.message))}"]
    cell = cell_of(finding)
    rows += _snippet(result.shown, result.source(cell), cell, finding.range, palette)
    for related in finding.related:
        rows += [f"{palette.cyan('info')}: {one_line(related.message)}", *_related(result, related, palette)]
    fix = violation.fix
    if fix is not None:
        rows.append(f"{palette.cyan('help')}: {one_line(fix.title)}")
        if fix.applicability is Applicability.UNSAFE:
            rows.append(f"{palette.yellow('note')}: This is an unsafe fix: {one_line(fix.reason)}")
    elif violation.obstacle:
        rows.append(f"{palette.yellow('note')}: There is no fix: {one_line(violation.obstacle)}")
    return rows


def _snippet(shown: str, source: SourceText, cell: int | None, marked: Range, palette: Palette) -> list[str]:
    width, shown_lines = excerpt(source, marked, palette)
    return [f"{'':{width}}{palette.blue('-->')} {shown}:{row_and_column_of(cell, marked.start)}", *shown_lines]


def _related(result: Result, related: Related, palette: Palette) -> list[str]:
    if related.path is None or related.path == result.path:
        cell = cell_of(related)
        return _snippet(result.shown, result.source(cell), cell, related.range, palette)
    try:
        source = SourceText(decode(read(related.path)).text)
    except (OSError, UndecodableError):
        return [f" {palette.blue('-->')} {shown_path(related.path)}:{row_and_column_of(None, related.range.start)}"]
    return _snippet(shown_path(related.path), source, None, related.range, palette)

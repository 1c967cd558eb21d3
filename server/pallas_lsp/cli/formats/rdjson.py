"""Reviewdog Diagnostic Format (reviewdog, proto/rdf)."""

from __future__ import annotations

import json
from collections.abc import Sequence

from pallas_lsp.cli.console import Palette
from pallas_lsp.cli.formats.shared import TOOL, all_violations, by_severity, message_in_file, related_path
from pallas_lsp.cli.results import Result, Violation, cell_of
from pallas_lsp.findings import Finding, Position, Range, Related
from pallas_lsp.rules.pages import page_url
from pallas_lsp.text import PositionEncoding, SourceText


def render(results: Sequence[Result], palette: Palette) -> str:
    """Writes the findings of all files; a suggestion is only made where `--fix` would do the same."""
    diagnostics = [_diagnostic(*each) for each in all_violations(results)]
    return json.dumps({"source": {"name": TOOL}, "severity": "WARNING", "diagnostics": diagnostics}, indent=2) + "\n"


def _diagnostic(result: Result, violation: Violation) -> dict[str, object]:
    finding = violation.finding
    diagnostic: dict[str, object] = {
        "message": message_in_file(finding),
        "location": _location(result, finding),
        "severity": by_severity("ERROR", "WARNING", "INFO", finding.severity),
        "code": {"value": finding.code, "url": page_url(finding.name)},
    }
    if finding.related:
        diagnostic["related_locations"] = [
            {"message": message_in_file(related), "location": _location(result, related)} for related in finding.related
        ]
    if violation.fix and violation.fixable and cell_of(finding) is None:  # The suggestions are for the file's text.
        diagnostic["suggestions"] = [
            {"range": _range(result.source(None), edit.range), "text": edit.new_text} for edit in violation.fix.edits
        ]
    return diagnostic


def _location(result: Result, placed: Finding | Related) -> dict[str, object]:
    path = related_path(placed, result) if isinstance(placed, Related) else result.path
    if cell_of(placed) is not None:  # Without a range the whole file is meant.
        return {"path": path}
    if path != result.path:  # Its text, which the columns depend on, is not at hand.
        return {"path": path, "range": {"start": {"line": placed.range.start.line + 1}}}
    return {"path": path, "range": _range(result.source(None), placed.range)}


def _range(source: SourceText, range: Range) -> dict[str, object]:
    return {"start": _position(source, range.start), "end": _position(source, range.end)}


def _position(source: SourceText, position: Position) -> dict[str, int]:
    # The format counts columns in UTF-8 bytes, from 1.
    return {"line": position.line + 1, "column": source.units(position, PositionEncoding.UTF8) + 1}

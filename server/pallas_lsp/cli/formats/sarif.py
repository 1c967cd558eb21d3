"""SARIF 2.1.0 (OASIS), as GitHub code scanning reads it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from pallas_lsp import __version__
from pallas_lsp.cli.console import Palette
from pallas_lsp.cli.formats.shared import (
    TOOL,
    all_violations,
    by_severity,
    message_in_file,
    place,
    range_in_file,
    related_path,
)
from pallas_lsp.cli.results import Result, Violation, cell_of
from pallas_lsp.findings import Fix, Range
from pallas_lsp.rules.base import Rule
from pallas_lsp.rules.pages import page_of, page_url, summary_of
from pallas_lsp.rules.registry import RULES


def render(results: Sequence[Result], palette: Palette) -> str:
    """Writes the findings of all files, and the pages of the rules that they are of."""
    violations = list(all_violations(results))
    found = {violation.finding.code for _, violation in violations}
    driver = {"name": TOOL, "version": __version__, "rules": [_rule(rule) for rule in RULES if rule.code in found]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(*each) for each in violations],
    }
    document = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}
    return json.dumps(document, indent=2) + "\n"


def _rule(rule: type[Rule]) -> dict[str, object]:
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": summary_of(rule)},
        "fullDescription": {"text": summary_of(rule)},
        "help": {"text": page_of(rule), "markdown": page_of(rule)},
        "helpUri": page_url(rule.name),
        "defaultConfiguration": {"level": by_severity("error", "warning", "note", rule.severity)},
    }


def _result(result: Result, violation: Violation) -> dict[str, object]:
    finding = violation.finding
    written: dict[str, object] = {
        "ruleId": finding.code,
        "level": by_severity("error", "warning", "note", finding.severity),
        "message": {"text": message_in_file(finding)},
        "locations": [_location(result.path, range_in_file(finding))],
    }
    if finding.related:
        written["relatedLocations"] = [
            {
                **_location(related_path(related, result), range_in_file(related)),
                "message": {"text": message_in_file(related)},
            }
            for related in finding.related
        ]
    if violation.fix and cell_of(finding) is None:  # Its edits are of a cell's text, not of the file's.
        written["fixes"] = [_fix(result, violation.fix)]
    return written


def _location(path: str, range: Range) -> dict[str, object]:
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(path)}, "region": _region(range)}}


def _fix(result: Result, fix: Fix) -> dict[str, object]:
    replacements = [
        {"deletedRegion": _region(edit.range), "insertedContent": {"text": edit.new_text}} for edit in fix.edits
    ]
    change = {"artifactLocation": {"uri": _uri(result.path)}, "replacements": replacements}
    return {"description": {"text": fix.title}, "artifactChanges": [change]}


def _region(range: Range) -> dict[str, int]:
    (row, column), (end_row, end_column) = place(range.start), place(range.end)
    return {"startLine": row, "startColumn": column, "endLine": end_row, "endColumn": end_column}


def _uri(path: str) -> str:
    return "stdin" if path == "-" else Path(path).as_uri()

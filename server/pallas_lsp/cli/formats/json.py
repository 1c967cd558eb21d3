"""One JSON array; the fields are those of ruff's JSON, with `related`, `fix_unavailable` and `group` added."""

from __future__ import annotations

import json
from collections.abc import Sequence

from pallas_lsp.cli.console import Palette
from pallas_lsp.cli.formats.shared import all_violations, cell_number, related_path, row_and_column
from pallas_lsp.cli.results import Result, Violation, cell_of
from pallas_lsp.findings import Fix
from pallas_lsp.rules.pages import page_url


def render(results: Sequence[Result], palette: Palette) -> str:
    """Writes the findings of all files."""
    return json.dumps([violation_as_json(*each) for each in all_violations(results)], indent=2) + "\n"


def violation_as_json(result: Result, violation: Violation) -> dict[str, object]:
    """One finding; cells, rows and columns are 1-based, columns count characters. The rows are those of the cell."""
    finding = violation.finding
    return {
        "cell": cell_number(cell_of(finding)),
        "code": finding.code,
        "end_location": row_and_column(finding.range.end),
        "filename": result.path,
        "fix": _fix_as_json(violation.fix) if violation.fix else None,
        "fix_unavailable": violation.obstacle or None,
        "location": row_and_column(finding.range.start),
        "message": finding.message,
        "name": finding.name,
        "noqa_row": finding.range.start.line + 1,
        "related": [
            {
                "cell": cell_number(cell_of(related)),
                "end_location": row_and_column(related.range.end),
                "filename": related_path(related, result),
                "location": row_and_column(related.range.start),
                "message": related.message,
            }
            for related in finding.related
        ],
        "severity": finding.severity.value,
        "url": page_url(finding.name),
    }


def _fix_as_json(fix: Fix) -> dict[str, object]:
    return {
        "applicability": fix.applicability.value,
        "edits": [
            {
                "cell": cell_number(cell_of(edit)),
                "content": edit.new_text,
                "end_location": row_and_column(edit.range.end),
                "location": row_and_column(edit.range.start),
            }
            for edit in fix.edits
        ],
        "message": fix.title,
        "note": fix.reason or None,
    }

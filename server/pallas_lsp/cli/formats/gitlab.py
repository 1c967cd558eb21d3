"""A Code Quality report of GitLab ("Code Quality report format")."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence

from pallas_lsp.cli.console import Palette
from pallas_lsp.cli.formats.shared import all_violations, by_severity, message_in_file, place, range_in_file
from pallas_lsp.cli.results import Result, Violation, cell_of


def render(results: Sequence[Result], palette: Palette) -> str:
    """Writes the findings of all files. Paths are relative to the current folder, which GitLab makes the project's."""
    seen: Counter[str] = Counter()
    return json.dumps([_issue(*each, seen) for each in all_violations(results)], indent=2) + "\n"


def _issue(result: Result, violation: Violation, seen: Counter[str]) -> dict[str, object]:
    finding = violation.finding
    range = range_in_file(finding)
    start, end = place(range.start), place(range.end)
    return {
        "check_name": finding.code,
        "description": f"{finding.code}: {message_in_file(finding)}",
        "severity": by_severity("major", "minor", "info", finding.severity),
        "fingerprint": _fingerprint(result, violation, seen),
        "location": {
            "path": result.shown,
            "positions": {
                "begin": {"line": start[0], "column": start[1]},
                "end": {"line": end[0], "column": end[1]},
            },
        },
    }


def _fingerprint(result: Result, violation: Violation, seen: Counter[str]) -> str:
    """What tells one issue from another between two runs: not the line number, which moves with the lines above."""
    finding = violation.finding
    line = result.source(cell_of(finding)).line(finding.range.start.line).strip()
    identity = "\0".join((result.shown, finding.code, finding.message, line))
    seen[identity] += 1
    return hashlib.sha256(f"{identity}\0{seen[identity]}".encode("utf-8", "surrogatepass")).hexdigest()[:32]

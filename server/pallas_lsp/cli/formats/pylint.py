"""The parseable format of pylint: `path:row: [CODE] message`."""

from __future__ import annotations

from collections.abc import Sequence

from pallas_lsp.cli.console import Palette
from pallas_lsp.cli.formats.shared import all_violations, lines, one_line
from pallas_lsp.cli.results import Result


def render(results: Sequence[Result], palette: Palette) -> str:
    """Writes the findings of all files."""
    return lines(
        [
            f"{result.shown}:{finding.range.start.line + 1}: [{finding.code}] {one_line(finding.message)}"
            for result, violation in all_violations(results)
            for finding in (violation.finding,)
        ]
    )

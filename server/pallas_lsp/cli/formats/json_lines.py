"""One JSON object a line, each as in `json`."""

from __future__ import annotations

import json
from collections.abc import Sequence

from pallas_lsp.cli.console import Palette
from pallas_lsp.cli.formats.json import violation_as_json
from pallas_lsp.cli.formats.shared import all_violations, lines
from pallas_lsp.cli.results import Result


def render(results: Sequence[Result], palette: Palette) -> str:
    """Writes the findings of all files."""
    compact = (",", ":")
    return lines([json.dumps(violation_as_json(*each), separators=compact) for each in all_violations(results)])

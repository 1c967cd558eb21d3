"""Unified diffs."""

from __future__ import annotations

import difflib
import re

from pallas_lsp.cli.console import Palette


def unified_diff(before: str, after: str, name: str, palette: Palette) -> str:
    """What changes between two texts, in the format that `patch` reads when the palette is off.

    Lines end as in Python: a form feed or U+2028 does not end one. Line breaks are kept as they are.
    """
    rows = difflib.unified_diff(_lines(before), _lines(after), name, name)
    return "".join(_painted(row, palette) for row in rows)


def _lines(text: str) -> list[str]:
    return re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+", text)


def _painted(row: str, palette: Palette) -> str:
    paint = {"+": palette.green, "-": palette.red, "@": palette.cyan}.get(row[0])
    body = row.rstrip("\r\n")
    line_break = row[len(body) :] or "\n\\ No newline at end of file\n"
    return (paint(body) if paint else body) + line_break

"""A piece of source text with a part of it underlined, as in ruff and rustc."""

from __future__ import annotations

from pallas_lsp.cli.console import Palette
from pallas_lsp.findings import Position, Range
from pallas_lsp.text import SourceText

_CONTEXT = 2
"""How many lines are shown before and after the underlined ones."""

_LONGEST_RANGE = 8
"""Of a range with more lines only the first and the last ones are shown."""

_LONGEST_LINE = 240
_TAB = "    "
# Characters that would move the cursor or reorder the line: right-to-left marks, embeddings, overrides and isolates.
_REORDERING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def cells(text: str) -> tuple[str, int]:
    """What a terminal shows for a text, and how many cells that takes.

    Tabs become four spaces; control characters, which could move the cursor, become visible ones. Wide characters take
    two cells and combining ones none (Unicode Standard Annex 11).
    """
    if text.isascii() and text.isprintable():
        return text, len(text)
    import unicodedata

    shown = []
    width = 0
    for character in text:
        code = ord(character)
        if character == "\t":
            character, columns = _TAB, len(_TAB)
        elif code < 0x20 or code == 0x7F:
            character, columns = (chr(0x2400 + code) if code < 0x20 else "\u2421"), 1
        elif 0x80 <= code < 0xA0 or 0xD800 <= code < 0xE000 or character in _REORDERING:
            character, columns = "\ufffd", 1
        elif unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
            columns = 0
        else:
            columns = 2 if unicodedata.east_asian_width(character) in "WF" else 1
        shown.append(character)
        width += columns
    return "".join(shown), width


def excerpt(source: SourceText, marked: Range, palette: Palette) -> tuple[int, list[str]]:
    """Lines that show `marked` with what is around it.

    Returns:
      The width of the column of line numbers, and the lines, without line breaks.
    """
    start, end = marked.start, marked.end
    if end.character == 0 and end.line > start.line:
        end = Position(end.line - 1, len(source.line(end.line - 1)))
    first, last = start.line, end.line
    before = range(max(0, first - _CONTEXT), first)
    after = range(last + 1, min(source.line_count, last + 1 + _CONTEXT))
    while before and not source.line(before[0]).strip():
        before = before[1:]
    while after and not source.line(after[-1]).strip():
        after = after[:-1]
    if first == last:
        margin, rows = "", _underlined(source, start, end, palette)
    else:
        margin, rows = "  ", _bracketed(source, start, end, palette)
    rows = [
        *((line, margin + _cropped(source.line(line))) for line in before),
        *rows,
        *((line, margin + _cropped(source.line(line))) for line in after),
    ]
    width = max(len(str(line + 1)) for line, _ in rows if line is not None)
    frame = palette.blue(f"{'':{width}} |")
    numbers = ("" if line is None else str(line + 1) for line, _ in rows)
    bars = (palette.blue(f"{number:>{width}} |") for number in numbers)
    lines = [f"{bar} {text}".rstrip() for bar, (_, text) in zip(bars, rows, strict=True)]
    return width, [frame, *lines, frame]


_Row = tuple[int | None, str]
"""A line number, 0-based, or None for a row of marks; and what is shown in it."""


def _underlined(source: SourceText, first: Position, last: Position, palette: Palette) -> list[_Row]:
    line, start, end = source.line(first.line), first.character, max(last.character, first.character + 1)
    if len(line) > _LONGEST_LINE:
        cut = max(0, start - _LONGEST_LINE // 4)
        end = min(end, cut + _LONGEST_LINE)
        line, start, end = line[cut : cut + _LONGEST_LINE], start - cut, end - cut
    indent = cells(line[:start])[1]
    width = cells(line[start:end])[1]
    return [(first.line, cells(line)[0]), (None, " " * indent + palette.red("^" * max(1, width)))]


def _bracketed(source: SourceText, first: Position, last: Position, palette: Palette) -> list[_Row]:
    """Several lines, held together by a line at their left."""
    bar = palette.red("|")
    opening = source.line(first.line)
    rows: list[_Row]
    if opening[: first.character].strip():
        to_start = cells(opening[: first.character])[1]
        rows = [(first.line, f"  {_cropped(opening)}"), (None, f" {palette.red('_' * (to_start + 1) + '^')}")]
    else:
        rows = [(first.line, f"{palette.red('/')} {_cropped(opening)}")]
    inner = range(first.line + 1, last.line + 1)
    half = _LONGEST_RANGE // 2
    shown = inner if len(inner) <= _LONGEST_RANGE else (*inner[:half], None, *inner[-half:])
    rows += [(line, f"{bar} {'...' if line is None else _cropped(source.line(line))}") for line in shown]
    to_end = cells(source.line(last.line)[: max(0, last.character - 1)])[1]
    return [*rows, (None, palette.red(f"|{'_' * (to_end + 1)}^"))]


def _cropped(line: str) -> str:
    return cells(line)[0] if len(line) <= _LONGEST_LINE else f"{cells(line[:_LONGEST_LINE])[0]}..."

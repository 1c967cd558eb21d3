"""Applies `contentChanges` to a text (LSP 3.17, DidChangeTextDocumentParams)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lsprotocol import types

from pallas_lsp.findings import Edit, Range
from pallas_lsp.text import PositionEncoding, SourceText

_LINE_BREAK = re.compile(r"\r\n|\r|\n")


def apply_changes(
    text: SourceText, changes: Sequence[types.TextDocumentContentChangeEvent], encoding: PositionEncoding
) -> SourceText:
    """The text after `changes`, each of which is meant for the text that the one before it leaves.

    Positions past the end of a line or of the text are clamped, and the ends of a reversed range change places.
    """
    if len(changes) > 1:
        return _apply_many(text, changes, encoding)
    for change in changes:
        text = _apply(text, change, encoding)
    return text


def _apply(text: SourceText, change: types.TextDocumentContentChangeEvent, encoding: PositionEncoding) -> SourceText:
    if isinstance(change, types.TextDocumentContentChangeWholeDocument):
        return SourceText(change.text)
    start, end = sorted(
        text.from_units(place.line, place.character, encoding) for place in (change.range.start, change.range.end)
    )
    return SourceText(text.replaced((Edit(Range(start, end), change.text),)))


def _apply_many(
    text: SourceText, changes: Sequence[types.TextDocumentContentChangeEvent], encoding: PositionEncoding
) -> SourceText:
    """Like `_apply` one after another, at a cost per change that does not depend on the size of the text."""
    lines = lines_with_breaks(text.text)
    for change in changes:
        if isinstance(change, types.TextDocumentContentChangeWholeDocument):
            lines = lines_with_breaks(change.text)
            continue
        touched = sorted((change.range.start.line, change.range.end.line))
        # A line break can be completed, or taken apart, by what is put beside it: hence one line more on both sides.
        first = max(0, min(touched[0], len(lines) - 1) - 1)
        last = min(touched[1] + 2, len(lines))
        region = SourceText("".join(lines[first:last]))
        near = types.TextDocumentContentChangePartial(
            range=types.Range(_up(change.range.start, first), _up(change.range.end, first)), text=change.text
        )
        replaced = lines_with_breaks(_apply(region, near, encoding).text)
        if last < len(lines):
            replaced.pop()  # the empty line after the region's last line break
        lines[first:last] = replaced
    return SourceText("".join(lines))


def _up(position: types.Position, lines: int) -> types.Position:
    return types.Position(position.line - lines, position.character)


def lines_with_breaks(text: str) -> list[str]:
    """The lines with their line breaks; the last has none, and is empty if the text ends with one."""
    ends = [found.end() for found in _LINE_BREAK.finditer(text)]
    return [text[start:end] for start, end in zip([0, *ends], [*ends, len(text)], strict=True)]

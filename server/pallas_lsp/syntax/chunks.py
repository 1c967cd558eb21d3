"""A module as a sequence of chunks: statement groups that are parsed alone."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pallas_lsp.findings import Position, Range
from pallas_lsp.syntax.parse import parse
from pallas_lsp.text import SourceText

_CUT = re.compile(r"(?:\n|\r(?!\n))(?![ \t\f\r\n#)\]}]|(?:else|elif|except|finally)\b)(?=.)")


@dataclass(frozen=True, slots=True)
class SyntaxProblem:
    """A part of a chunk that was not understood.

    Args:
      line: 0-based, relative to the chunk's first line.
      message: one sentence.
    """

    line: int
    message: str


class Chunk:
    """A group of whole lines that was parsed alone. Compared by identity; never at two places of a module."""

    __slots__ = ("__weakref__", "line_count", "members", "memo", "problems", "statements", "text")

    def __init__(
        self,
        text: str,
        line_count: int,
        statements: tuple[ast.stmt, ...],
        problems: tuple[SyntaxProblem, ...] = (),
        members: tuple[Chunk, ...] = (),
    ) -> None:
        self.text = text
        self.line_count = line_count
        self.statements = statements
        self.problems = problems
        self.members = members
        self.memo: dict[Any, Any] = {}


class ParsedModule:
    """One version of a module. Immutable."""

    def __init__(self, source: SourceText, chunks: tuple[Chunk, ...]) -> None:
        self.source = source
        self.chunks = chunks

    @cached_property
    def _lines(self) -> dict[Chunk, int]:
        lines: dict[Chunk, int] = {}
        line = 0
        for chunk in self.chunks:
            lines[chunk] = line
            line += chunk.line_count
        return lines

    def line_of(self, chunk: Chunk) -> int:
        """The 0-based line at which a chunk of this module starts."""
        return self._lines[chunk]

    def range_of(self, chunk: Chunk, node: ast.AST) -> Range:
        """The place of a node of `chunk` in the document."""
        line = self.line_of(chunk) - 1
        first, last = line + node.lineno, line + node.end_lineno  # type: ignore[attr-defined]
        return Range(
            Position(first, self.source.character(first, node.col_offset)),  # type: ignore[attr-defined]
            Position(last, self.source.character(last, node.end_col_offset)),  # type: ignore[attr-defined]
        )

    def problems(self) -> list[tuple[Range, str]]:
        """What was not understood, in the order of the text; a range is the line's text."""
        found = []
        for chunk in self.chunks:
            for problem in chunk.problems:
                line = self.line_of(chunk) + problem.line
                text = self.source.line(line)
                start = len(text) - len(text.lstrip())
                found.append((Range(Position(line, start), Position(line, len(text))), problem.message))
        return found


def parse_module(source: SourceText, previous: ParsedModule | None = None) -> ParsedModule:
    """Parses a module; never raises. Chunks of `previous` whose text is unchanged are kept."""
    kept: dict[str, list[Chunk]] = {}
    for chunk in previous.chunks if previous else ():
        kept.setdefault(chunk.text, []).append(chunk)
    text = source.text
    cuts = [0, *(found.end() for found in _CUT.finditer(text)), len(text)]
    chunks: list[Chunk] = []
    index = 0
    while index < len(cuts) - 1:
        start = cuts[index]
        if start == len(text):
            break
        step = 1
        while True:
            end = cuts[min(index + step, len(cuts) - 1)]
            piece = text[start:end]
            if kept.get(piece):
                chunks.append(kept[piece].pop())
                break
            body = parse(piece)
            if body is not None:
                chunks.append(Chunk(piece, piece.count("\n"), tuple(body)))
                break
            if step >= 64 or end == len(text):
                step = 1
                piece = text[start : cuts[index + 1]]
                chunks.append(Chunk(piece, piece.count("\n"), (), (SyntaxProblem(0, "invalid syntax"),)))
                break
            step *= 2
        index = min(index + step, len(cuts) - 1)
    return ParsedModule(source, tuple(chunks))

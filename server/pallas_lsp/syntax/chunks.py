"""Chunk: whole lines that were parsed alone, and what became of them."""

from __future__ import annotations

import ast
from typing import Any, NamedTuple

from pallas_lsp.syntax.grammar import neutralise, restore_stars
from pallas_lsp.syntax.parse import TOO_LONG, Refusal
from pallas_lsp.syntax.recovery import recover

# Longer text that does not parse is not mended: it is data rather than code that somebody types.
MAX_MENDED_LENGTH = 100_000


class SyntaxProblem(NamedTuple):
    """A part of a chunk that was not understood.

    Args:
      line: 0-based, relative to the chunk's first line.
      message: one sentence.
      skipped: whether more than one statement was left out.
    """

    line: int
    message: str
    skipped: bool


class Chunk:
    """A statement or a few, parsed alone; mostly one function. Compared by identity, and immutable but for `memo`.

    A chunk is at one place of a module only, and survives edits elsewhere in the file. Nothing in it depends on where
    it stands.

    Args:
      text: whole lines, with their line breaks.
      line_count: how many lines that are.
      statements: their trees. `lineno` is 1-based and counts from the chunk's first line; `col_offset` is in UTF-8
        bytes of the file's own line.
      problems: what was dropped from the statements, or was mended; empty when the chunk is intact.
      members: of a large class, the chunks of its body. Then `statements` is the class alone, with a placeholder
        `pass` for a body, and the lines before the first member belong to its header.
      memo: for what later layers derive from this chunk alone.
    """

    __slots__ = ("__weakref__", "line_count", "members", "memo", "problems", "statements", "text")

    def __init__(
        self,
        text: str,
        statements: tuple[ast.stmt, ...],
        problems: tuple[SyntaxProblem, ...] = (),
        members: tuple[Chunk, ...] = (),
    ) -> None:
        self.text = text
        self.line_count = count_lines(text)
        self.statements = statements
        self.problems = problems
        self.members = members
        self.memo: dict[Any, Any] = {}

    def __repr__(self) -> str:
        return f"<Chunk of {self.line_count} lines: {self.text[:40]!r}>"


def count_lines(text: str) -> int:
    """How many lines whole lines are; the last one may lack its line break."""
    count = text.count("\n")
    if "\r" in text:
        count += text.count("\r") - text.count("\r\n")
    return count if text.endswith(("\n", "\r")) or not text else count + 1


def broken_chunk(text: str, wrapped: bool, refusal: Refusal | None) -> Chunk:
    """The chunk of text that the host's parser refused: its grammar is newer, or it is being typed.

    Args:
      text: whole lines.
      wrapped: whether they are an indented block.
      refusal: what the parser said, if it was asked.
    """
    if len(text) > MAX_MENDED_LENGTH:
        refusal = refusal or Refusal(TOO_LONG)
        return Chunk(text, (), (SyntaxProblem(refusal.line or 0, f"{refusal.message}; not analysed", skipped=True),))
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    neutral = neutralise(plain)
    statements, problems = recover(neutral.text, wrapped, refusal if neutral.text == plain else None)
    restore_stars(statements, neutral.stars)
    return Chunk(text, tuple(statements), tuple(SyntaxProblem(*problem) for problem in problems))

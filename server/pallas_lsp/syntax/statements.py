"""Logical lines of text that need not parse."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from pallas_lsp.syntax.lexer import CLOSERS, OPENERS, Kind, lex

# Words that start a compound statement or a clause of one.
BLOCK_KEYWORDS = frozenset(
    ("def", "class", "if", "elif", "else", "for", "while", "with", "try", "except", "finally", "match", "case")
)

# Keywords that cannot stand at the start of a line inside brackets: an open bracket before them is a slip.
STATEMENT_START = re.compile(
    r"(?:def|class|import|return|raise|while|with|try|del|global|nonlocal|assert|pass|break|continue"
    r"|async[ \t]+(?:def|with)|from[ \t]+[\w.]+[ \t]+import)\b"
)

# How many statements with open brackets or quotes are followed up to where they could close.
_PATIENCE = 16

_BLANK_LINES = re.compile(r"(?:[ \t\f]*(?:#[^\n]*)?\n)*(?:[ \t\f]*(?:#[^\n]*)?\Z)?")
_INDENT = re.compile(r"[ \t\f]*")
_LINE = re.compile(r"[^\n]*\n?")
_KEYWORD = re.compile(r"(?:async[ \t]+)?(\w+)|(@)")
_SOFT_KEYWORDS = frozenset(("match", "case"))
_SOFT_HEADER = re.compile(r"\w+[ \t]*[^ \t\n=.,)\]:][^\n]*:[ \t]*(?:#[^\n]*)?(?:\n|\Z)")


class Statement(NamedTuple):
    """A logical line: a simple statement, or the header of a compound one.

    Args:
      start: the offset of its first line.
      first: the offset of its first character.
      end: the offset after its last line.
      line: the number of its first line, 0-based.
      keyword: its first word, without `async`; or `@`; or nothing.
      broken: whether its brackets or quotes do not match.
    """

    start: int
    first: int
    end: int
    line: int
    keyword: str
    broken: bool

    @property
    def indent(self) -> int:
        """How many characters of indentation it has."""
        return self.first - self.start


def split_statements(text: str) -> list[Statement]:
    """The logical lines of text with `\\n` line breaks. One with an open bracket or quote ends where it should.

    That is before a line that is indented no more than the statement, and does not start with a closing bracket.
    """
    return [*statements_from(text, 0, 0)]


def statements_from(text: str, position: int, line: int) -> Iterator[Statement]:
    """The logical lines of text from `position` on, where the line with the 0-based number `line` starts."""
    patience = _PATIENCE
    while True:
        start = _BLANK_LINES.match(text, position).end()  # type: ignore[union-attr]
        line += text.count("\n", position, start)
        if start == len(text):
            return
        statement = _statement(text, start, line, patient=patience > 0)
        patience -= statement.broken
        yield statement
        line += text.count("\n", start, statement.end)
        position = statement.end


def _statement(text: str, start: int, line: int, patient: bool) -> Statement:
    first = _INDENT.match(text, start).end()  # type: ignore[union-attr]
    word = _KEYWORD.match(text, first)
    keyword = (word.group(1) or word.group(2)) if word else ""
    if keyword in _SOFT_KEYWORDS and not _SOFT_HEADER.match(text, first):
        keyword = ""
    stack: list[str] = []
    broken = False
    for kind, at, end in lex(text, start):
        if kind is Kind.OPEN:
            stack.append(text[at])
        elif kind is Kind.CLOSE:
            if stack and OPENERS[stack[-1]] == text[at]:
                stack.pop()
            else:
                broken = True
        elif kind is Kind.UNTERMINATED:
            break
        elif kind is Kind.NEWLINE:
            if not stack:
                return Statement(start, first, end, line, keyword, broken)
            if not patient or STATEMENT_START.match(text, _INDENT.match(text, end).end()):  # type: ignore[union-attr]
                break
    else:
        if not stack:
            return Statement(start, first, len(text), line, keyword, broken)
    return Statement(start, first, _end_by_indent(text, start, first - start, keyword), line, keyword, True)


def _end_by_indent(text: str, start: int, indent: int, keyword: str) -> int:
    """Where a statement ends whose brackets do not say so."""
    end = _LINE.match(text, start).end()  # type: ignore[union-attr]
    while end < len(text):
        if keyword in BLOCK_KEYWORDS and not text[start:end].rstrip().endswith((",", *OPENERS)):
            break
        following = _BLANK_LINES.match(text, end).end()  # type: ignore[union-attr]
        first = _INDENT.match(text, following).end()  # type: ignore[union-attr]
        closes = text[first : first + 1] in CLOSERS
        if first == len(text) or first - following < indent + (not closes) or STATEMENT_START.match(text, first):
            break
        end = _LINE.match(text, following).end()  # type: ignore[union-attr]
    return end

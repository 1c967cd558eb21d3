"""Strings, comments, brackets and line ends of Python text; tolerant of anything, and quick.

It knows just enough to say where a statement may end. f-strings are read as in Python 3.12 (PEP 701), and as plain
strings when they do not close that way.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterator

OPENERS = {"(": ")", "[": "]", "{": "}"}
CLOSERS = frozenset(")]}")

# A replacement field of a one-line f-string may span lines; one that spans more than this is taken for a slip.
_FIELD_LINES = 50

# f-strings in fields of f-strings that are followed: Python takes 150, but reading them anew at each quote adds up.
_FIELD_DEPTH = 16

_SPECIAL = re.compile(r"[\"'#()\[\]{}\n\r\\]")
_LINE = re.compile(r"[^\r\n]*")
_PREFIX = re.compile(r"(?<!\w)(?:[rR][bBfFtT]?|[bBfFtT][rR]?|[uU])\Z")
_PLAIN = {
    '"': re.compile(r'"[^"\\\n\r]*(?:\\(?:\r\n|.)[^"\\\n\r]*)*("?)', re.DOTALL),
    "'": re.compile(r"'[^'\\\n\r]*(?:\\(?:\r\n|.)[^'\\\n\r]*)*('?)", re.DOTALL),
    '"""': re.compile(r'"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*((?:""")?)', re.DOTALL),
    "'''": re.compile(r"'''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*((?:''')?)", re.DOTALL),
}
_LITERAL = {'"': re.compile(r'[{}\\\n\r"]'), "'": re.compile(r"[{}\\\n\r']")}
_FIELD = re.compile(r"[\"'#()\[\]{}:\n\r]")


class Kind(enum.Enum):
    """What a piece of text is to the lexer."""

    OPEN = enum.auto()
    CLOSE = enum.auto()
    STRING = enum.auto()
    UNTERMINATED = enum.auto()
    COMMENT = enum.auto()
    NEWLINE = enum.auto()
    CONTINUATION = enum.auto()


_FILLERS = {Kind.STRING: '"', Kind.UNTERMINATED: '"', Kind.COMMENT: " ", Kind.CONTINUATION: " "}
_NOT_BREAK = re.compile(r"[^\r\n]")


def lex(text: str, start: int = 0) -> Iterator[tuple[Kind, int, int]]:
    """The special pieces of `text` from `start` on, which is outside strings and brackets: kind, start, end.

    A string starts at its quote, without its prefix. An unterminated one ends before the line break, or with the text
    when it has triple quotes. A backslash that ends a line is a CONTINUATION together with the line break.
    """
    position = start
    search = _SPECIAL.search
    while found := search(text, position):
        at = found.start()
        character = text[at]
        position = at + 1
        if character in "([{":
            yield Kind.OPEN, at, position
        elif character in ")]}":
            yield Kind.CLOSE, at, position
        elif character == "\n":
            yield Kind.NEWLINE, at, position
        elif character in "\"'":
            position, closed = string_end(text, at)
            yield (Kind.STRING if closed else Kind.UNTERMINATED), at, position
        elif character == "#":
            position = _line_end(text, at)
            yield Kind.COMMENT, at, position
        elif character == "\r":
            position = _after_break(text, at)
            yield Kind.NEWLINE, at, position
        elif text.startswith(("\n", "\r"), position):
            position = _after_break(text, position)
            yield Kind.CONTINUATION, at, position


def skeleton(text: str) -> str:
    """`text` with strings as quotes only, comments and continuations as blanks; line breaks and offsets stay."""
    parts: list[str] = []
    done = 0
    for kind, start, end in lex(text):
        if kind in _FILLERS:
            parts += (text[done:start], _NOT_BREAK.sub(_FILLERS[kind], text[start:end]))
            done = end
    return "".join((*parts, text[done:]))


def prefix_of(text: str, quote: int) -> str:
    """The letters of the string prefix before the quote at offset `quote`, in lower case."""
    found = _PREFIX.search(text[max(0, quote - 3) : quote])
    return found.group().lower() if found else ""


def string_end(text: str, quote: int) -> tuple[int, bool]:
    """Where the string ends whose quote is at offset `quote`, and whether it is closed."""
    prefix = prefix_of(text, quote)
    if "f" in prefix or "t" in prefix:
        end = _formatted_end(text, quote, "r" in prefix)
        if end is not None:
            return end, True
    return _plain_end(text, quote)


def _plain_end(text: str, quote: int) -> tuple[int, bool]:
    found = _PLAIN[_delimiter(text, quote)].match(text, quote)
    assert found is not None
    return found.end(), bool(found.group(1))


def _delimiter(text: str, quote: int) -> str:
    mark = text[quote]
    return mark * 3 if text.startswith(mark * 3, quote) else mark


def _line_end(text: str, position: int) -> int:
    found = _LINE.match(text, position)
    assert found is not None
    return found.end()


def _after_break(text: str, position: int) -> int:
    return position + (2 if text.startswith("\r\n", position) else 1)


class _Literal:
    """The inside of an f-string, or of a format specification of one."""

    __slots__ = ("delimiter", "raw", "specification")

    def __init__(self, delimiter: str, raw: bool, specification: bool = False) -> None:
        self.delimiter = delimiter
        self.raw = raw
        self.specification = specification


class _Field:
    """The inside of a replacement field, with the number of brackets that are open in it."""

    __slots__ = ("depth", "literal")

    def __init__(self, literal: _Literal) -> None:
        self.literal = literal
        self.depth = 0


def _formatted_end(text: str, quote: int, raw: bool) -> int | None:
    """Where an f-string ends; None when it does not end as PEP 701 says."""
    delimiter = _delimiter(text, quote)
    position = quote + len(delimiter)
    stack: list[_Literal | _Field] = [_Literal(delimiter, raw)]
    lines = 0
    while stack:
        state = stack[-1]
        pattern = _FIELD if isinstance(state, _Field) else _LITERAL[state.delimiter[0]]
        found = pattern.search(text, position)
        if found is None or len(stack) > 2 * _FIELD_DEPTH:
            return None
        at = found.start()
        character = text[at]
        position = at + 1
        if character in "\n\r":
            lines += 1
            literal = state.literal if isinstance(state, _Field) else state
            if len(literal.delimiter) == 1 and (state is literal or lines > _FIELD_LINES):
                return None
        elif isinstance(state, _Field):
            if character in "\"'":
                prefix = prefix_of(text, at)
                if "f" in prefix or "t" in prefix:
                    inner = _delimiter(text, at)
                    position = at + len(inner)
                    stack.append(_Literal(inner, "r" in prefix))
                else:
                    position, closed = _plain_end(text, at)
                    if not closed:
                        return None
            elif character == "#":
                position = _line_end(text, at)
            elif character == ":":
                if state.depth == 0:
                    stack.append(_Literal(state.literal.delimiter, state.literal.raw, specification=True))
            elif character in OPENERS:
                state.depth += 1
            elif state.depth:
                state.depth -= 1
            elif character == "}":
                stack.pop()
        elif character == "\\":
            position = _after_escape(text, at, state.raw)
        elif character == "{":
            if text.startswith("{", position) and not state.specification:
                position += 1
            else:
                stack.append(_Field(state))
        elif character == "}":
            if state.specification:
                del stack[-2:]
        elif text.startswith(state.delimiter, at):
            if state.specification:
                return None
            position = at + len(state.delimiter)
            stack.pop()
    return position


def _after_escape(text: str, backslash: int, raw: bool) -> int:
    following = text[backslash + 1 : backslash + 2]
    if following in ("{", "}"):
        return backslash + 1
    if text.startswith("N{", backslash + 1) and not raw:
        end = text.find("}", backslash)
        return end + 1 if end >= 0 else backslash + 3
    return _after_break(text, backslash + 1)

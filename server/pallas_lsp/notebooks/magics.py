"""IPython's own syntax in a cell, replaced by Python that takes up the same space.

IPython's documentation (Input transformations; Built-in magic commands) says what that syntax is: `%magic`, `!command`,
`?` before or after a name, and the automatic calls `,f a`, `;f a` and `/f a`, each at the start of a logical line;
`x = %magic` and `x = !command`; `%%magic` as the first line of a cell, which then is an argument of that magic.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from pallas_lsp.findings import Position, Range
from pallas_lsp.syntax.lexer import Kind, lex
from pallas_lsp.syntax.parse import parse
from pallas_lsp.syntax.statements import STATEMENT_START
from pallas_lsp.text import SourceText

PYTHON_CELL_MAGICS = frozenset(
    (
        *("capture", "debug", "ipytest", "memit", "prun", "px", "pyinstrument", "scalene", "snakeviz", "time"),
        *("timeit", "wandb"),
    )
)
"""The cell magics that run their cell as Python, in this namespace; with others nobody knows what language it is."""

BLOCK_HEADER = "if 1:\n"
"""What makes indented lines a block: IPython takes the indentation off a cell."""

# A logical line of Python starts with none of these.
_ESCAPES = frozenset("%!?,;/")
# Cells without a match have no magics; most are like that.
_HINT = re.compile(r"[%!?]|^[ \t\f]*[,;/]", re.MULTILINE)

_CELL_MAGIC = re.compile(r"(?:[ \t\f]*\n)*[ \t\f]*%%(?!\w+\?)(\w*)[^\n]*")
_BLANKS = re.compile(r"[ \t\f]*")
_CONTINUED_LINE = re.compile(r"(?:[^\n]*\\\n)*[^\n]*")
_ASSIGNMENT = re.compile(r"(?<![=!<>+\-*/%&|^@:])=(?!=)")
_ASSIGNED = re.compile(r"[ \t]*(?=!|%[ \t]*[^\W\d])")
_INDENTED = re.compile(r"(?:[ \t\f]*(?:#[^\n]*)?\n)*[ \t]+[^\s#]")
_LINE_BREAK = re.compile(r"\r\n|\r")
_NOT_BREAK = re.compile(r"[^\n]")


@dataclass(frozen=True, slots=True)
class PythonCell:
    r"""A cell as Python. Its lines and columns are those of the cell; all line breaks are `\n`.

    Args:
      text: a magic that is a statement or a value is a name of underscores, which nobody can know; other text that is
        not Python is blank.
      end: where the cell ends.
      masks: where the text is not the cell's, in order.
      has_cell_magic: whether the cell is the argument of a `%%` magic.
      is_indented: whether its first statement is indented.
      is_intact: whether it parses, as a block if it is indented.
    """

    text: str
    end: Position
    masks: tuple[Range, ...]
    has_cell_magic: bool
    is_indented: bool
    is_intact: bool


@lru_cache(maxsize=1024)  # At a keystroke, one cell of many has changed.
def as_python(cell: str) -> PythonCell:
    """Replaces what is not Python in a cell. Never fails, whatever the text is.

    Args:
      cell: with any line breaks.
    """
    text = _LINE_BREAK.sub("\n", cell)
    magic = _CELL_MAGIC.match(text)
    spans: list[tuple[int, int]] = []
    if magic is not None:
        end = magic.end() if magic.group(1) in PYTHON_CELL_MAGICS else len(text)
        spans.append((0, end))
        masked = _NOT_BREAK.sub(" ", text[:end]) + text[end:]
    else:
        masked = text
    if _HINT.search(masked):
        inner = [*_magics(masked)]
        masked = _masked(masked, inner)
        spans += inner
    source = SourceText(text)
    indented = _INDENTED.match(masked) is not None
    return PythonCell(
        text=masked,
        end=source.position(len(text)),
        masks=tuple(Range(source.position(start), source.position(end)) for start, end in spans),
        has_cell_magic=magic is not None,
        is_indented=indented,
        is_intact=isinstance(parse((BLOCK_HEADER if indented else "") + masked), list),
    )


def _masked(text: str, spans: list[tuple[int, int]]) -> str:
    """Replaces spans of text by names; of one that has several lines, the other lines are blank."""
    parts: list[str] = []
    done = 0
    for start, end in spans:
        first, *rest = text[start:end].split("\n")
        parts += (text[done:start], "\n".join(("_" * len(first), *(" " * len(line) for line in rest))))
        done = end
    return "".join((*parts, text[done:]))


def _magics(text: str) -> Iterator[tuple[int, int]]:
    """The offsets of all magics but that of the cell, in order."""
    position = 0
    while position < len(text):
        first = _end(_BLANKS, text, position)
        if text[first : first + 1] in _ESCAPES:
            end = _end(_CONTINUED_LINE, text, first)
            yield first, end
            position = end + 1
        else:
            magic, position = _in_statement(text, first)
            if magic is not None:
                yield magic


def _in_statement(text: str, first: int) -> tuple[tuple[int, int] | None, int]:
    """The magic in the logical line that starts at `first`, and where the next one starts.

    A line that can only be a new statement ends one whose brackets are open.
    """
    depth = 0
    assigned = False
    plain = first  # All before this is in strings or brackets, or has been searched.
    for kind, start, end in chain(lex(text, first), ((Kind.NEWLINE, len(text), len(text)),)):
        if depth == 0 and not assigned and (found := _ASSIGNMENT.search(text, plain, start)):
            assigned = True
            value = _ASSIGNED.match(text, found.end())
            if value is not None:
                last = _end(_CONTINUED_LINE, text, value.end())
                return (value.end(), last), last + 1
        if kind is Kind.OPEN:
            depth += 1
        elif kind is Kind.CLOSE:
            depth = max(0, depth - 1)
        elif kind is Kind.NEWLINE and depth == 0:
            asks = text[plain:start].rstrip(" \t\f").endswith("?")
            return ((first, start) if asks else None), end
        elif kind is Kind.NEWLINE and STATEMENT_START.match(text, _end(_BLANKS, text, end)):
            return None, end
        plain = end
    return None, len(text)


def _end(pattern: re.Pattern[str], text: str, position: int) -> int:
    """Where a pattern that always matches ends."""
    found = pattern.match(text, position)
    assert found is not None
    return found.end()

"""A function and its text: offsets of nodes, what lies between them, and edits from splices."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, wraps
from typing import Concatenate, NamedTuple, ParamSpec, TypeAlias, TypeVar

from pallas_lsp.findings import Edit, Position, Range
from pallas_lsp.rewrite.blocks import Step, last_steps
from pallas_lsp.text import SourceText

FunctionNode: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda"
Located: TypeAlias = "ast.stmt | ast.expr | ast.arg | ast.keyword | ast.ExceptHandler | ast.pattern"

_BREAK = r"(?:\r\n|\r|\n)"
_TRIVIA = re.compile(rf"(?:[ \t\f\r\n]+|\\{_BREAK}|#[^\r\n]*)*")
_BLANKS = re.compile(rf"(?:[ \t\f]+|\\{_BREAK})*")
_INDENTATION = re.compile(r"[ \t\f]*")
_HEADER = re.compile(r"(?:async\s|def\s|class\s|if\s|for\s|while\s|with\s|try\s*:).*:\s*(?:#.*)?")
_REST = re.compile(r"[ \t\f]*(?:;[ \t\f]*)?(#.*)?")
_OWN_SCOPE = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a rewrite was not made; `reason` is a sentence for the user."""

    reason: str


Rewrite: TypeAlias = "tuple[Edit, ...] | Refusal"


class Refused(Exception):
    """Ends an operation; `operation` turns it into a `Refusal` with the same reason."""


class Splice(NamedTuple):
    """Replaces the text from offset `start` up to `end` by `text`."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, eq=False)
class FunctionSource:
    """A function to rewrite, and where it stands.

    Args:
      source: the whole document.
      first_line: the 0-based line of the document at which the parsed chunk starts, so that a node of the chunk
        with `lineno` n stands at line `first_line + n - 1`.
      node: the function, with the positions that `ast` gave it when it parsed the chunk.
    """

    source: SourceText
    first_line: int
    node: FunctionNode

    @property
    def text(self) -> str:
        """The whole document."""
        return self.source.text

    def line(self, node: Located) -> int:
        """The 0-based line of the document at which a node starts."""
        return self.first_line + node.lineno - 1

    def start(self, node: Located) -> int:
        """The offset at which a node starts; without parentheses around it."""
        return self._offset(node.lineno, node.col_offset)

    def end(self, node: Located) -> int:
        """The offset at which a node ends; without parentheses around it."""
        assert node.end_lineno is not None and node.end_col_offset is not None
        return self._offset(node.end_lineno, node.end_col_offset)

    def _offset(self, lineno: int, column: int) -> int:
        line = self.first_line + lineno - 1
        return self.source.line_start(line) + self.source.character(line, column)

    @cached_property
    def obstacle(self) -> str | None:
        """Why no rewrite of this function is right, or None."""
        # Before 3.12, positions inside an f-string are wrong.
        if not self.text.startswith(("def", "lambda", "async"), self.start(self.node)):
            return "The place of the function in the text is not known."
        if isinstance(self.node, ast.AsyncFunctionDef):
            return "An async function returns a coroutine."
        if any(isinstance(node, ast.Yield | ast.YieldFrom) for node in own_nodes(body_of(self.node))):
            return "A generator function returns an iterator."
        return None

    @cached_property
    def last_steps(self) -> dict[ast.AST, Step]:
        """The last step down to each of the function's own statements."""
        return last_steps(self.node)

    @cached_property
    def indentation_unit(self) -> str:
        """What one more level of indentation adds in this function, or else in this document."""
        if isinstance(self.node, ast.FunctionDef):
            outer = indentation(self.source.line(self.line(self.node)))
            inner = indentation(self.source.line(self.line(self.node.body[0])))
            if len(inner) > len(outer) and inner.startswith(outer):
                return inner[len(outer) :]
        return _indentation_unit(self.source)


Parameters = ParamSpec("Parameters")
Function = TypeVar("Function", bound=Callable[..., object])


def operation(
    compute: Callable[Concatenate[FunctionSource, Parameters], Iterable[Splice]],
) -> Callable[Concatenate[FunctionSource, Parameters], Rewrite]:
    """Makes a public operation of one that yields splices and raises `Refused`."""

    @wraps(compute)
    def rewrite(function: FunctionSource, /, *args: Parameters.args, **kwargs: Parameters.kwargs) -> Rewrite:
        if function.obstacle is not None:
            return Refusal(function.obstacle)
        try:
            splices = compute(function, *args, **kwargs)
            edits = _edits(function.source, splices)
        except Refused as refused:
            return Refusal(str(refused))
        return coalesced(edits)

    return rewrite


def _edits(source: SourceText, splices: Iterable[Splice]) -> list[Edit]:
    return [
        Edit(Range(source.position(start), source.position(end)), text)
        for start, end, text in splices
        if start != end or text
    ]


def coalesced(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Sorts edits and joins those that touch. Insertions at one place keep their order.

    Raises:
      ValueError: two edits change the same text, or one inserts into text that another one replaces.
    """
    joined: list[Edit] = []
    for edit in sorted(edits, key=lambda edit: edit.range):
        last = joined[-1] if joined else None
        if last is None or last.range.end < edit.range.start:
            joined.append(edit)
        elif last.range.end == edit.range.start:
            joined[-1] = Edit(Range(last.range.start, edit.range.end), last.new_text + edit.new_text)
        else:
            raise ValueError(f"two edits change the text at {edit.range.start}")
    return tuple(joined)


def body_of(function: FunctionNode) -> list[ast.AST]:
    """The statements of a function, or the expression of a lambda."""
    return [function.body] if isinstance(function, ast.Lambda) else list(function.body)


def own_nodes(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The nodes that are evaluated when `body` is, so not those of functions that it only defines; in any order."""
    stack = list(body)
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, _OWN_SCOPE):
            stack += outer_parts(node)
        else:
            stack += ast.iter_child_nodes(node)


def outer_parts(node: FunctionNode | ast.ClassDef) -> list[ast.expr]:
    """The expressions of a nested function or class that are evaluated where it is defined; annotations are not."""
    if isinstance(node, ast.ClassDef):
        return [*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)]
    defaults = [*node.args.defaults, *(default for default in node.args.kw_defaults if default is not None)]
    return defaults if isinstance(node, ast.Lambda) else [*node.decorator_list, *defaults]


def skip_trivia(text: str, offset: int) -> int:
    """The offset of the next token inside brackets: past blanks, line breaks and comments."""
    return _TRIVIA.match(text, offset).end()  # type: ignore[union-attr]


def skip_blanks(text: str, offset: int) -> int:
    """The offset of the next token of the same logical line: past blanks and lines continued by a backslash."""
    return _BLANKS.match(text, offset).end()  # type: ignore[union-attr]


def punctuation(text: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    """Offset and character of all that is not trivia between two offsets; there must be no string between them."""
    offset = skip_trivia(text, start)
    while offset < end:
        yield offset, text[offset]
        offset = skip_trivia(text, offset + 1)


def indentation(line: str) -> str:
    """The blanks that a line starts with."""
    return _INDENTATION.match(line).group()  # type: ignore[union-attr]


def is_blank(text: str) -> bool:
    """Whether there is nothing but blanks."""
    return not text.strip(" \t\f")


def has_line_break(text: str) -> bool:
    r"""Whether there is a `\n` or a `\r`."""
    return "\n" in text or "\r" in text


def is_continued(source: SourceText, line: int) -> bool:
    """Whether a line that starts a statement belongs to the line before it, which ends in a backslash."""
    if line == 0:
        return False
    before = source.line(line - 1)
    return before.endswith("\\") and not before.lstrip(" \t\f").startswith("#")


def stands_alone(expression: str) -> bool:
    """Whether an expression that spans lines needs no parentheses around it, nor does one with a walrus or a star."""
    try:
        ast.parse(expression, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def fresh_name(source: SourceText, name: str) -> str:
    """`name`, or `name_1`, `name_2` ...: the first that is no word of the document."""
    words = set(re.findall(r"\w+", source.text))
    candidate, number = name, 0
    while candidate in words:
        number += 1
        candidate = f"{name}_{number}"
    return candidate


def spliced(text: str, start: int, end: int, splices: Iterable[Splice]) -> str:
    """The text between two offsets after splices, which are inside, disjoint, and at one place in order."""
    parts: list[str] = []
    for first, last, new_text in sorted(splices, key=lambda splice: splice[:2]):
        parts += (text[start:first], new_text)
        start = last
    return "".join((*parts, text[start:end]))


def rest_of_line(source: SourceText, offset: int) -> int | None:
    """What follows a statement that ends at `offset`, if it is at most a semicolon and a comment.

    Returns:
      The offset at which the comment starts, or else the line ends; None when another statement follows.
    """
    rest = _REST.fullmatch(source.text, offset, line_end(source, source.position(offset).line))
    return rest and (rest.end() if rest.start(1) < 0 else rest.start(1))


def line_end(source: SourceText, line: int) -> int:
    """The offset at which a line ends, before its line break."""
    return source.offset(Position(line, len(source.line(line))))


def _indentation_unit(source: SourceText) -> str:
    for line in range(source.line_count - 1):
        outer = indentation(source.line(line))
        if _HEADER.fullmatch(source.line(line), len(outer)):
            inner = indentation(source.line(line + 1))
            if len(inner) > len(outer) and inner.startswith(outer):
                return inner[len(outer) :]
    return "    "

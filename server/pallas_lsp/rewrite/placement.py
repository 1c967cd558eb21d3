"""Where a `return` stands: what could run after it, and what shares its line."""

from __future__ import annotations

import ast
import enum
from dataclasses import dataclass

from pallas_lsp.rewrite.blocks import Step, last_steps, path_of
from pallas_lsp.rewrite.source import (
    FunctionSource,
    Refused,
    Splice,
    indentation,
    is_blank,
    is_continued,
    line_end,
    rest_of_line,
)

_LOOPS = (ast.For, ast.AsyncFor, ast.While)


class Layout(enum.Enum):
    """What stands before a statement on its line."""

    OWN_LINE = "nothing"
    AFTER_STATEMENT = "a statement and a semicolon"
    AFTER_HEADER = "the header of its block"


@dataclass(frozen=True, slots=True)
class Placement:
    """The surroundings of a `return`.

    Args:
      start: the offset of the keyword.
      end: the offset at which the statement ends, parentheses of the value included.
      tail: whether nothing runs after it in the function, so that falling off its end is the same as returning.
      sole: whether it is the only statement of its block.
      before_finally: whether a `finally` clause runs after its value is computed, or it is in such a clause.
      layout: what stands before it on its line.
      previous_end: the offset at which the statement before it ends, for AFTER_STATEMENT.
      indentation: of its line for OWN_LINE, of the header's for AFTER_HEADER.
      rest: what follows on its last line; see `rest_of_line`.
    """

    start: int
    end: int
    tail: bool
    sole: bool
    before_finally: bool
    layout: Layout
    previous_end: int
    indentation: str
    rest: int | None


def placement(function: FunctionSource, node: ast.Return) -> Placement:
    """Computes where a `return` of `function` stands.

    Raises:
      ValueError: the function has no such `return` of its own, or the text is not what was parsed.
      Refused: the layout is one that no edit is made for.
    """
    steps = path_of(node, function.last_steps)
    source, start, end = function.source, function.start(node), function.end(node)
    if not source.text.startswith("return", start):
        raise ValueError(f"no return at line {function.line(node)}: the text is not the one that was parsed")
    line = function.line(node)
    block = getattr(steps[-1].parent, steps[-1].field)
    index = next(index for index, statement in enumerate(block) if statement is node)
    before = source.text[source.line_start(line) : start]
    previous_end = start
    if is_blank(before):
        if is_continued(source, line):
            raise Refused("The line before the `return` ends in a backslash.")
        layout, margin = Layout.OWN_LINE, before
    elif index > 0:
        layout, margin = Layout.AFTER_STATEMENT, ""
        previous_end = function.end(block[index - 1])
    else:
        layout, margin = Layout.AFTER_HEADER, _header_indentation(function, steps[-1].parent)
    return Placement(
        start=start,
        end=end,
        tail=_is_tail(steps),
        sole=len(block) == 1,
        before_finally=any(getattr(step.parent, "finalbody", None) for step in steps),
        layout=layout,
        previous_end=previous_end,
        indentation=margin,
        rest=rest_of_line(source, end),
    )


def return_after(function: FunctionSource, place: Placement) -> list[Splice]:
    """What makes the function return after the statement that replaces a `return`; nothing in tail position."""
    if place.tail:
        return []
    if place.rest is None or place.layout is Layout.AFTER_STATEMENT:
        return [Splice(place.end, place.end, "; return")]
    newline = function.source.newline()
    end = line_end(function.source, function.source.position(place.end).line)
    if place.layout is Layout.OWN_LINE:
        return [Splice(end, end, f"{newline}{place.indentation}return")]
    inner = f"{newline}{place.indentation}{function.indentation_unit}"
    line_start = function.source.line_start(function.source.position(place.start).line)
    colon = line_start + len(function.text[line_start : place.start].rstrip(" \t\f"))
    return [Splice(colon, place.start, inner), Splice(end, end, f"{inner}return")]


def path(root: ast.AST, statement: ast.stmt) -> list[Step]:
    """The way from a function or module down to a statement of its own, outermost step first.

    Raises:
      ValueError: it has no such statement; those of nested functions and classes are not its own.
    """
    return path_of(statement, last_steps(root))


def _is_tail(steps: list[Step]) -> bool:
    for step in steps:
        if not step.is_last or step.field == "finalbody":
            return False
        if step.field == "body" and isinstance(step.parent, _LOOPS):
            return False
        # The `else` of a `try` runs when its body ends, and not when it returns. 3.11 has two kinds of `try`.
        if step.field == "body" and hasattr(step.parent, "handlers") and getattr(step.parent, "orelse", None):
            return False
    return True


def _header_indentation(function: FunctionSource, parent: ast.AST) -> str:
    """Of the clause (`if`, `else`, `case` ...) that a statement on the same line belongs to."""
    located = parent.pattern if isinstance(parent, ast.match_case) else parent
    assert isinstance(located, ast.stmt | ast.ExceptHandler | ast.pattern)
    line = function.line(located)
    text = function.source.line(line)
    margin = indentation(text)
    unusual = isinstance(parent, ast.match_case) and not text.startswith("case", len(margin))
    if unusual or is_continued(function.source, line):
        raise Refused("The header of the block is continued by a backslash or in parentheses.")
    return margin

"""Rewrites of a function's header: more parameters, and the annotation of what it returns."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from pallas_lsp.rewrite.source import (
    FunctionSource,
    Refused,
    Splice,
    has_line_break,
    is_blank,
    line_end,
    operation,
    punctuation,
    skip_blanks,
    skip_trivia,
)

_END_OF_PARAMETER = re.compile(r"[ \t\f]*(?:(,)[ \t\f]*)?(?:#.*)?")
_BRACKETS = {"[": 1, "]": -1}


@operation
def add_parameters(function: FunctionSource, names: Sequence[str], index: int | None = None) -> Iterator[Splice]:
    """Inserts positional parameters, each on a line of its own if the parameter before it has one.

    Args:
      function: a function or a lambda.
      names: of the new parameters, in order.
      index: how many positional parameters to leave before them, `self` included; None for all without a default.
        Behind the last positional-only parameter they come after the `/`.

    Returns:
      The edits, or a refusal: a name is used in the function already, parameters with a default would stand before
      the new ones, or a generator or async function.

    Raises:
      ValueError: there are fewer than `index` positional parameters, or no names.
    """
    arguments = function.node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    required = len(positional) - len(arguments.defaults)
    index = required if index is None else index
    if not names or not 0 <= index <= len(positional):
        raise ValueError(f"cannot add {names} after {index} of {len(positional)} positional parameters")
    if index > required:
        raise Refused("A parameter without a default cannot follow one that has a default.")
    for name in names:
        if name in _words(function):
            raise Refused(f"`{name}` already means something in this function.")
    if index == 0:
        yield _first(function, names)
    elif index == len(arguments.posonlyargs):
        end = function.end(positional[index - 1])
        slash = next(at for at, token in punctuation(function.text, end, len(function.text)) if token == "/")
        yield from _after(function, names, slash, slash + 1)
    else:
        previous = positional[index - 1]
        yield from _after(function, names, function.start(previous), function.end(previous))


@operation
def none_annotation(function: FunctionSource) -> Iterator[Splice]:
    """`-> T` becomes `-> None`. No edit without an annotation, with None already, or with a comment inside it."""
    annotation = None if isinstance(function.node, ast.Lambda) else function.node.returns
    if annotation is None or (isinstance(annotation, ast.Constant) and annotation.value in (None, "None")):
        return
    start, end = function.start(annotation), function.end(annotation)
    text = function.text[start:end]
    if not (has_line_break(text) and "#" in text):
        yield Splice(start, end, "None")


def _words(function: FunctionSource) -> set[str]:
    """The names that the function uses or binds, those of nested functions included."""
    words: set[str] = set()
    for node in ast.walk(function.node):
        if isinstance(node, ast.Name):
            words.add(node.id)
        elif isinstance(node, ast.arg):
            words.add(node.arg)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and node is not function.node:
            words.add(node.name)
        elif isinstance(node, ast.Global | ast.Nonlocal):
            words.update(node.names)
        elif isinstance(node, ast.alias):
            words.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            words.add(node.name)
        elif isinstance(node, ast.MatchMapping) and node.rest:
            words.add(node.rest)
    return words


def _first(function: FunctionSource, names: Sequence[str]) -> Splice:
    """Inserts before all parameters."""
    text = function.text
    is_lambda = isinstance(function.node, ast.Lambda)
    opening = _opening(function)
    first = skip_trivia(text, opening)
    gap = " " if is_lambda and first == opening else ""
    if text[first] == (":" if is_lambda else ")"):
        return Splice(opening, opening, (" " if is_lambda else "") + ", ".join(names))
    start_of_line = function.source.line_start(function.source.position(first).line)
    margin = text[start_of_line:first]
    separator = f",{function.source.newline()}{margin}" if is_blank(margin) else ", "
    return Splice(first, first, gap + "".join(f"{name}{separator}" for name in names))


def _after(function: FunctionSource, names: Sequence[str], start: int, end: int) -> Iterator[Splice]:
    """Inserts after the parameter, or the slash, from `start` up to `end`."""
    source, text = function.source, function.text
    margin = text[source.line_start(source.position(start).line) : start]
    newline = f"{source.newline()}{margin}"
    stop = line_end(source, source.position(end).line)
    rest = _END_OF_PARAMETER.fullmatch(text, end, stop)
    if not is_blank(margin):
        yield Splice(end, end, "".join(f", {name}" for name in names))
    elif rest is not None and rest.group(1):
        yield Splice(stop, stop, "".join(f"{newline}{name}," for name in names))
    elif rest is not None:
        yield Splice(end, end, ",")
        yield Splice(stop, stop, newline + f",{newline}".join(names))
    elif text[skip_blanks(text, end)] == ")":
        yield Splice(end, end, "".join(f",{newline}{name}" for name in names))
    else:
        yield Splice(end, end, "".join(f", {name}" for name in names))


def _opening(function: FunctionSource) -> int:
    """The offset behind what opens the parameters: the parenthesis of a `def`, or the keyword `lambda`."""
    start = function.start(function.node)
    if isinstance(function.node, ast.Lambda):
        return start + len("lambda")
    depth = 0
    for offset, token in punctuation(function.text, start, len(function.text)):
        depth += _BRACKETS.get(token, 0)
        if token == "(" and depth == 0:
            return offset + 1
    raise AssertionError("a def has parentheses")

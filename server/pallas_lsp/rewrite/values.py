"""Where values go: the targets of a store, and the values of a display with what is put around each."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from pallas_lsp.rewrite.source import FunctionSource, Refused, Splice, punctuation, skip_blanks, skip_trivia

_PRIMARIES = (
    ast.Name,
    ast.Attribute,
    ast.Subscript,
    ast.Call,
    ast.List,
    ast.Dict,
    ast.Set,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
    ast.JoinedStr,
)


@dataclass(frozen=True, slots=True)
class Target:
    """Where one value goes: it is stored by `text = before value after`.

    The value gets parentheses of its own where it needs them, so that `after=".astype(o_ref.dtype)"` is right for a
    sum as well, and `before="jnp.broadcast_to(", after=", o_ref.shape)"` for a tuple.

    Args:
      text: an assignment target, such as `o_ref[...]`.
      before: put before the value.
      after: put after it.
    """

    text: str
    before: str = ""
    after: str = ""


TargetTree: TypeAlias = "Target | tuple[TargetTree, ...]"
"""One target, or one for each element of an iterable value; a tuple is never empty."""


class Extent(NamedTuple):
    """From the first to the last token of an expression, as offsets; `parenthesised` when those are parentheses."""

    start: int
    end: int
    parenthesised: bool


class Display(NamedTuple):
    """A tuple, list or dict as written.

    Args:
      start: the offset of its first token.
      end: the offset at which its last token ends.
      bracketed: whether those tokens are brackets of its own; only a tuple may have none.
      starts: the offset at which each item starts: a key, or else the value.
      extents: of the values.
      commas: the offsets of the commas; there may be one behind the last item.
    """

    start: int
    end: int
    bracketed: bool
    starts: list[int]
    extents: list[Extent]
    commas: list[int]


def rendered(targets: TargetTree) -> str:
    """The left side of the assignment."""
    if isinstance(targets, Target):
        return targets.text
    if len(targets) == 1:
        return f"({rendered(targets[0])},)"
    return ", ".join(t.text if isinstance(t, Target) else _nested(t) for t in targets)


def _nested(targets: tuple[TargetTree, ...]) -> str:
    text = rendered(targets)
    return text if len(targets) == 1 else f"({text})"


def return_extent(function: FunctionSource, node: ast.Return) -> Extent:
    """The value of a `return` with the parentheses around it.

    Raises:
      ValueError: there is no value.
    """
    if node.value is None:
        raise ValueError(f"the return at line {function.line(node)} has no value")
    start = skip_blanks(function.text, function.start(node) + len("return"))
    return Extent(start, function.end(node), start < function.start(node.value))


def display_of(function: FunctionSource, node: ast.Tuple | ast.List | ast.Dict) -> Display:
    """Finds the items of a display that has some, with the parentheses around each value; in a dict all have keys."""
    text, start, end = function.text, function.start(node), function.end(node)
    keys = [key for key in node.keys if key is not None] if isinstance(node, ast.Dict) else []
    values = node.values if isinstance(node, ast.Dict) else node.elts
    display = Display(start, end, not isinstance(node, ast.Tuple), [], [], [])
    gap = start + display.bracketed
    for index, value in enumerate(values):
        first, last = function.start(value), function.end(value)
        display.starts.append(skip_trivia(text, gap))
        if keys:
            gap = 1 + next(at for at, token in punctuation(text, function.end(keys[index]), first) if token == ":")
        following = (keys or values)[index + 1 : index + 2]
        opening = [at for at, token in punctuation(text, gap, first) if token == "("]
        closing: list[int] = []
        for at, token in punctuation(text, last, function.start(following[0]) if following else end):
            if token == ",":
                display.commas.append(at)
                gap = at + 1
                break
            closing += [at] if token == ")" else []
        # A tuple's own parentheses open, or close, besides those of its first, or last, element.
        own = min(len(opening), len(closing))
        display = display._replace(bracketed=display.bracketed or len(opening) > own)
        display.extents.append(Extent(opening[-own], closing[own - 1] + 1, True) if own else Extent(first, last, False))
        if not keys:
            display.starts[index] = display.extents[index].start
    return display


def around(function: FunctionSource, value: ast.expr, extent: Extent, targets: TargetTree) -> Iterator[Splice]:
    """Puts around the value, or the values of a display, what their targets ask for.

    Raises:
      Refused: the targets do not fit the value.
    """
    if isinstance(targets, Target):
        before, after = targets.before, targets.after
        if not extent.parenthesised and _needs_parentheses(function, value, targets):
            before, after = f"{before}(", f"){after}"
        yield Splice(extent.start, extent.start, before)
        yield Splice(extent.end, extent.end, after)
    elif isinstance(value, ast.Tuple | ast.List) and not any(isinstance(e, ast.Starred) for e in value.elts):
        if len(value.elts) != len(targets):
            raise Refused(f"The number of returned values is {len(value.elts)}, that of outputs is {len(targets)}.")
        for element, inner, target in zip(value.elts, display_of(function, value).extents, targets, strict=True):
            yield from around(function, element, inner, target)
    elif any(_wraps(target) for target in targets):
        raise Refused("The returned values are not written one by one, so that nothing can be put around a single one.")


def _wraps(targets: TargetTree) -> bool:
    if isinstance(targets, Target):
        return bool(targets.before or targets.after)
    return any(_wraps(target) for target in targets)


def _needs_parentheses(function: FunctionSource, value: ast.expr, target: Target) -> bool:
    if not target.before and not target.after:
        return False
    if isinstance(value, ast.Tuple):
        return bool(value.elts) and not display_of(function, value).bracketed
    if isinstance(value, ast.NamedExpr):
        return True
    if target.before.rstrip().endswith(("(", ",")) and target.after.lstrip().startswith((")", ",")):
        return False
    is_text = isinstance(value, ast.Constant) and isinstance(value.value, str | bytes | bool | None)
    return not isinstance(value, _PRIMARIES) and not is_text

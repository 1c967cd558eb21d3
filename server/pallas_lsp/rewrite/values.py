"""Where values go: the targets of a store, and how a returned expression is made to fit them."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from pallas_lsp.rewrite.source import (
    FunctionSource,
    Refused,
    Splice,
    has_line_break,
    punctuation,
    skip_blanks,
    skip_trivia,
    stands_alone,
)

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


TargetTree: TypeAlias = "Target | tuple[TargetTree, ...] | Mapping[Any, TargetTree]"
"""One target; or one for each element of an iterable value; or one for each key of a dict that has a name or is written
out, as a display or as `dict(key=...)`. Tuples and mappings are never empty."""

_Tree: TypeAlias = "Target | tuple[_Tree, ...]"


class Extent(NamedTuple):
    """From the first to the last token of an expression, as offsets; `parenthesised` when those are parentheses."""

    start: int
    end: int
    parenthesised: bool


class _Display(NamedTuple):
    """A tuple, list, dict or `dict(...)` with at least one item, as written.

    Args:
      start: the offset of its first token.
      inside: the offset behind the opening bracket; `start` for a tuple, which may have none.
      end: the offset at which its last token ends.
      bracketed: whether it has brackets of its own.
      starts: the offset at which each item starts: a key, or else the value with its parentheses.
      extents: of the values.
      commas: the offsets of the commas; there may be one behind the last item.
    """

    start: int
    inside: int
    end: int
    bracketed: bool
    starts: list[int]
    extents: list[Extent]
    commas: list[int]


def return_extent(function: FunctionSource, node: ast.Return) -> Extent:
    """The value of a `return` with the parentheses around it.

    Raises:
      ValueError: there is no value.
    """
    if node.value is None:
        raise ValueError(f"the return at line {function.line(node)} has no value")
    start = skip_blanks(function.text, function.start(node) + len("return"))
    return Extent(start, function.end(node), start < function.start(node.value))


def left_side(value: ast.expr, targets: TargetTree) -> str:
    """The left side of the assignment that stores `value`: several targets in the order of the values.

    Raises:
      Refused: the targets do not fit the value.
    """
    tree = _in_order(value, targets)
    return tree.text if isinstance(tree, Target) else _rendered(tree, nested=False)


def fitted(
    function: FunctionSource, value: ast.expr, extent: Extent, targets: TargetTree, *, nested: bool = False
) -> Iterator[Splice]:
    """Makes a value the right side for `left_side`: wraps where they belong, and a tuple, or one value, for a dict.

    Raises:
      Refused: the targets do not fit the value.
    """
    if isinstance(targets, Target):
        before, after = targets.before, targets.after
        if not extent.parenthesised and _needs_parentheses(function, value, targets):
            before, after = f"{before}(", f"){after}"
        yield Splice(extent.start, extent.start, before)
        yield Splice(extent.end, extent.end, after)
    elif isinstance(targets, tuple):
        elements = _elements(value)
        if elements is not None:
            for element, inner, target in zip(elements, _display(function, value).extents, targets, strict=True):
                yield from fitted(function, element, inner, target, nested=True)
        elif any(map(_wraps, targets)):
            raise Refused("The returned values are not written one by one, and nothing can be put around a single one.")
    elif isinstance(value, ast.Name):
        start, end = function.start(value), function.end(value)
        items = [_item(function.text[start:end], key, target) for key, target in targets.items()]
        text = ", ".join(items)
        yield Splice(start, end, f"({text})" if nested and len(items) > 1 else text)
    else:
        display, written = _display(function, value), _items(value)
        for (key, item), inner in zip(written, display.extents, strict=True):
            yield from fitted(function, item, inner, targets[key], nested=len(written) > 1 or nested)
        yield from _without_keys(function, value, display)
        yield from without_brackets(function, value, keep=nested and len(written) > 1)


def without_brackets(function: FunctionSource, value: ast.expr, *, keep: bool) -> Iterator[Splice]:
    """Takes the brackets of a display away, or makes them parentheses.

    They become parentheses if `keep` says so, or a line break or a value needs them. A comma behind a single value
    goes, which would make a tuple of it.
    """
    text, display = function.text, _display(function, value)
    extents, stop = display.extents, display.extents[-1].end
    stops = [display.start, *(extent.end for extent in extents)]
    gaps = zip(stops, [*(extent.start for extent in extents), display.end], strict=True)
    values = [text[extent.start : extent.end] for extent in extents]
    trailing = display.commas[-1] if len(display.commas) == len(extents) else None
    if not display.bracketed:
        assert trailing is not None
        yield Splice(stop, trailing + 1, "")
    elif not keep and all(map(stands_alone, values)) and not any(has_line_break(text[a:b]) for a, b in gaps):
        yield Splice(display.start, display.starts[0], "")
        yield Splice(stop, display.end, "")
    else:
        yield Splice(display.start, max(display.inside, display.start + 1), "(")
        yield Splice(display.end - 1, display.end, ")")
        if len(extents) == 1 and trailing is not None:
            yield Splice(trailing, trailing + 1, "")


def extent_of_element(function: FunctionSource, display: ast.Tuple | ast.List) -> Extent:
    """The first element of a display with the parentheses around it."""
    return _display(function, display).extents[0]


def _elements(value: ast.expr | None) -> list[ast.expr] | None:
    """The elements of a display that are written one by one; None for another expression."""
    if isinstance(value, ast.Tuple | ast.List) and not any(isinstance(e, ast.Starred) for e in value.elts):
        return value.elts
    return None


def _items(value: ast.expr | None) -> list[tuple[Hashable, ast.expr]]:
    """Keys and values of a dict that is written out; none for another expression."""
    if isinstance(value, ast.Dict) and all(isinstance(key, ast.Constant) for key in value.keys):
        keys = [key.value for key in value.keys if isinstance(key, ast.Constant)]
        return list(zip(keys, value.values, strict=True))
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "dict" and not value.args:
        return [(keyword.arg, keyword.value) for keyword in value.keywords]
    return []


def _in_order(value: ast.expr | None, targets: TargetTree) -> _Tree:
    """The targets as the values are written: a tuple for a mapping, or its target if there is but one."""
    if isinstance(targets, Target):
        return targets
    if isinstance(targets, tuple):
        elements = _elements(value)
        if elements is None:
            return tuple(_in_order(None, target) for target in targets)
        if len(elements) != len(targets):
            raise Refused(f"The number of returned values is {len(elements)}, that of outputs is {len(targets)}.")
        return tuple(map(_in_order, elements, targets))
    if isinstance(value, ast.Name):
        ordered = tuple(_in_order(None, target) for target in targets.values())
    else:
        items = _items(value)
        if len(items) != len(targets) or {key for key, _ in items} != set(targets):
            raise Refused("The returned value is not written as a dict with just the keys of the outputs.")
        ordered = tuple(_in_order(item, targets[key]) for key, item in items)
    return ordered if len(ordered) > 1 else ordered[0]


def _item(name: str, key: Hashable, target: TargetTree) -> str:
    """The value of a key of a dict that has a name, as its target wants it."""
    literal = repr(key)
    if literal == f"'{key}'" and '"' not in literal:
        literal = f'"{key}"'
    if isinstance(target, Target):
        return f"{target.before}{name}[{literal}]{target.after}"
    if _wraps(target):
        raise Refused("The returned values are not written one by one, and nothing can be put around a single one.")
    return f"{name}[{literal}]"


def _rendered(tree: tuple[_Tree, ...], *, nested: bool) -> str:
    text = ", ".join(part.text if isinstance(part, Target) else _rendered(part, nested=True) for part in tree)
    if len(tree) == 1:
        return f"({text},)"
    return f"({text})" if nested else text


def _display(function: FunctionSource, node: ast.expr) -> _Display:
    """Finds the items of a display, and the parentheses around each value."""
    text, start, end = function.text, function.start(node), function.end(node)
    inside = start + (not isinstance(node, ast.Tuple))
    if isinstance(node, ast.Call):
        inside = 1 + next(at for at, token in punctuation(text, function.end(node.func), end) if token == "(")
    display = _Display(start, inside, end, not isinstance(node, ast.Tuple), [], [], [])
    gap = inside
    for key, value in _written(node):
        first, last = function.start(value), function.end(value)
        item = skip_trivia(text, gap)
        if key is not None:
            gap = 1 + _separator(function, key, first)
        opening = [at for at, token in punctuation(text, gap, first) if token == "("]
        closing: list[int] = []
        for at, token in punctuation(text, last, end):
            if token == ",":
                display.commas.append(at)
                gap = at + 1
                break
            closing += [at] if token == ")" else []
        # A display's own parentheses open, or close, besides those of its first, or last, value.
        own = min(len(opening), len(closing))
        display = display._replace(bracketed=display.bracketed or len(opening) > own)
        extent = Extent(opening[-own], closing[own - 1] + 1, True) if own else Extent(first, last, False)
        display.extents.append(extent)
        display.starts.append(extent.start if key is None else item)
    return display


def _written(node: ast.expr) -> list[tuple[ast.expr | ast.keyword | None, ast.expr]]:
    """The values of a display, each with its key or keyword if there is one."""
    if isinstance(node, ast.Dict):
        return list(zip(node.keys, node.values, strict=True))
    if isinstance(node, ast.Call):
        return [(keyword, keyword.value) for keyword in node.keywords]
    return [(None, element) for element in node.elts] if isinstance(node, ast.Tuple | ast.List) else []


def _separator(function: FunctionSource, key: ast.expr | ast.keyword, value: int) -> int:
    """The offset of the colon, or the equals sign, between a key and the value that starts at an offset."""
    if isinstance(key, ast.keyword):
        start, separator = function.start(key), "="
    else:
        start, separator = function.end(key), ":"
    return next(at for at, token in punctuation(function.text, start, value) if token == separator)


def _without_keys(function: FunctionSource, value: ast.expr, display: _Display) -> Iterator[Splice]:
    for start, extent, (key, _) in zip(display.starts, display.extents, _written(value), strict=True):
        assert key is not None
        separator = _separator(function, key, extent.start)
        if has_line_break(function.text[start:separator]):
            raise Refused("A key of the returned dict spans lines.")
        yield Splice(start, skip_blanks(function.text, separator + 1), "")


def _wraps(targets: TargetTree) -> bool:
    if isinstance(targets, Target):
        return bool(targets.before or targets.after)
    return any(map(_wraps, targets if isinstance(targets, tuple) else targets.values()))


def _needs_parentheses(function: FunctionSource, value: ast.expr, target: Target) -> bool:
    if not target.before and not target.after:
        return False
    if isinstance(value, ast.Tuple):
        return bool(value.elts) and not _display(function, value).bracketed
    if isinstance(value, ast.NamedExpr):
        return True
    if target.before.rstrip().endswith(("(", ",")) and target.after.lstrip().startswith((")", ",")):
        return False
    is_text = isinstance(value, ast.Constant) and isinstance(value.value, str | bytes | bool | None)
    return not isinstance(value, _PRIMARIES) and not is_text

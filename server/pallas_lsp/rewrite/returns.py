"""Rewrites of one `return`: its value is stored, or dropped."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterator, Mapping

from pallas_lsp.rewrite.placement import Layout, Placement, placement, return_after
from pallas_lsp.rewrite.source import (
    FunctionSource,
    Refused,
    Splice,
    has_line_break,
    is_blank,
    operation,
    own_nodes,
    punctuation,
    skip_blanks,
    stands_alone,
)
from pallas_lsp.rewrite.values import (
    Display,
    TargetTree,
    around,
    display_of,
    rendered,
    return_extent,
)

_EFFECTS = (ast.Call, ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)


@operation
def store(
    function: FunctionSource, node: ast.Return, targets: TargetTree, *, through_finally: bool = False
) -> Iterator[Splice]:
    """`return E` becomes `target = E`, and a bare `return` follows unless nothing could run after it.

    Several targets are stored by one statement, `a_ref[...], b_ref[...] = E`: all of E is evaluated first.

    Args:
      function: the function that the `return` is of.
      node: the `return`; it has a value.
      targets: where the value goes, or a tuple of where each value goes, as deep as the value.
      through_finally: whether to store although a `finally` clause runs afterwards, which could use the output.

    Returns:
      The edits, or a refusal: a `finally` clause, a display of another length than `targets`, something to put around
      a value that is not written by itself, or a generator or async function.

    Raises:
      ValueError: `node` is no `return` of this function, or has no value.
    """
    place = _storable(function, node, through_finally)
    extent = return_extent(function, node)
    assert node.value is not None
    yield Splice(place.start, extent.start, f"{rendered(targets)} = ")
    yield from around(function, node.value, extent, targets)
    yield from return_after(function, place)


@operation
def store_element(
    function: FunctionSource, node: ast.Return, target: TargetTree, *, through_finally: bool = False
) -> Iterator[Splice]:
    """`return (E,)` or `return [E]` becomes `target = E`. Arguments, refusals and errors are those of `store`."""
    place = _storable(function, node, through_finally)
    extent = return_extent(function, node)
    value = node.value
    if not isinstance(value, ast.Tuple | ast.List) or len(value.elts) != 1 or isinstance(value.elts[0], ast.Starred):
        raise Refused("The returned value is not written as a tuple or list of one element.")
    display = display_of(function, value)
    yield Splice(place.start, extent.start, f"{rendered(target)} = ")
    yield from around(function, value.elts[0], display.extents[0], target)
    yield from _without_brackets(function, display)
    yield from return_after(function, place)


@operation
def store_items(
    function: FunctionSource,
    node: ast.Return,
    targets: Mapping[Hashable, TargetTree],
    *,
    through_finally: bool = False,
) -> Iterator[Splice]:
    """`return {"a": A, "b": B}` becomes `out["a"][...], out["b"][...] = A, B`, in the display's order.

    Args:
      function: the function that the `return` is of.
      node: the `return`; it has a value.
      targets: where the value of each key goes.
      through_finally: as for `store`.

    Returns:
      The edits, or a refusal: as for `store`, or not a dict display with just these keys, each a constant.

    Raises:
      ValueError: as for `store`.
    """
    place = _storable(function, node, through_finally)
    extent = return_extent(function, node)
    if not isinstance(node.value, ast.Dict):
        raise Refused("The returned value is not written as a dict.")
    keys = [key.value for key in node.value.keys if isinstance(key, ast.Constant)]
    if not len(node.value.keys) == len(keys) == len(targets) or set(keys) != set(targets):
        raise Refused("The keys of the returned dict are not those of the outputs.")
    ordered = tuple(targets[key] for key in keys)
    yield Splice(place.start, extent.start, f"{rendered(ordered if len(ordered) > 1 else ordered[0])} = ")
    display = display_of(function, node.value)
    for value, inner, target in zip(node.value.values, display.extents, ordered, strict=True):
        yield from around(function, value, inner, target)
    yield from _without_keys(function, node.value, display)
    yield from _without_brackets(function, display)
    yield from return_after(function, place)


@operation
def drop(function: FunctionSource, node: ast.Return, *, keep_value: bool) -> Iterator[Splice]:
    """Removes a `return` whose value is of no use, together with its lines; a comment behind it stays.

    What is left is a bare `return` if something could run after it, or `pass` if its block has no other statement.

    Args:
      function: the function that the `return` is of.
      node: the `return`; it has a value.
      keep_value: whether the value is left as a statement, because computing it has an effect; see `has_effects`.

    Returns:
      The edits, or a refusal: a generator or async function.

    Raises:
      ValueError: `node` is no `return` of this function, or has no value.
    """
    place = placement(function, node)
    extent = return_extent(function, node)
    if keep_value:
        yield Splice(place.start, extent.start, "")
        yield from return_after(function, place)
    elif not place.tail:
        yield Splice(place.start + len("return"), place.end, "")
    elif place.sole:
        yield Splice(place.start, place.end, "pass")
    elif place.layout is Layout.AFTER_STATEMENT:
        yield Splice(place.previous_end, place.end, "")
    else:
        yield _lines(function, place)


def has_effects(expression: ast.expr) -> bool:
    """Whether an expression calls, awaits, yields or binds a name, not counting what only a lambda in it would do."""
    return any(isinstance(node, _EFFECTS) for node in own_nodes([expression]))


def _storable(function: FunctionSource, node: ast.Return, through_finally: bool) -> Placement:
    place = placement(function, node)
    if place.before_finally and not through_finally:
        raise Refused("A `finally` clause runs after the store and could read or overwrite the output.")
    return place


def _lines(function: FunctionSource, place: Placement) -> Splice:
    """Removes the statement's lines and the blank ones above, but keeps a comment at its end."""
    source = function.source
    assert place.rest is not None
    if source.text.startswith("#", place.rest):
        return Splice(place.start, place.rest, "")
    first = source.position(place.start).line
    while first > 0 and is_blank(source.line(first - 1)):
        first -= 1
    last = source.position(place.end).line
    end = source.line_start(last + 1) if last + 1 < source.line_count else len(source.text)
    return Splice(source.line_start(first), end, "")


def _without_keys(function: FunctionSource, node: ast.Dict, display: Display) -> Iterator[Splice]:
    for start, key, extent in zip(display.starts, node.keys, display.extents, strict=True):
        assert key is not None
        colon = next(at for at, token in punctuation(function.text, function.end(key), extent.start) if token == ":")
        if has_line_break(function.text[start:colon]):
            raise Refused("A key of the returned dict spans lines.")
        yield Splice(start, skip_blanks(function.text, colon + 1), "")


def _without_brackets(function: FunctionSource, display: Display) -> Iterator[Splice]:
    """Takes a display's brackets away, or makes them parentheses if a line break or a value needs them.

    A comma behind a single value goes, which would make a tuple of it.
    """
    text, extents = function.text, display.extents
    stops = [display.start, *(extent.end for extent in extents)]
    gaps = zip(stops, [*(extent.start for extent in extents), display.end], strict=True)
    values = [text[extent.start : extent.end] for extent in extents]
    trailing = display.commas[-1] if len(display.commas) == len(extents) else None
    if not display.bracketed:
        assert trailing is not None
        yield Splice(stops[-1], trailing + 1, "")
    elif all(map(stands_alone, values)) and not any(has_line_break(text[start:end]) for start, end in gaps):
        yield Splice(display.start, display.starts[0], "")
        yield Splice(stops[-1], display.end, "")
    else:
        yield Splice(display.start, display.start + 1, "(")
        yield Splice(display.end - 1, display.end, ")")
        if len(extents) == 1 and trailing is not None:
            yield Splice(trailing, trailing + 1, "")

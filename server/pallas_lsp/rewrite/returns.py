"""Rewrites of one `return`: its value is stored, or dropped."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pallas_lsp.rewrite.placement import Layout, Placement, placement, return_after
from pallas_lsp.rewrite.source import (
    FunctionSource,
    Refused,
    Splice,
    is_blank,
    operation,
    own_nodes,
)
from pallas_lsp.rewrite.values import (
    TargetTree,
    extent_of_element,
    fitted,
    left_side,
    return_extent,
    without_brackets,
)

_EFFECTS = (ast.Call, ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)


@operation
def store(
    function: FunctionSource, node: ast.Return, targets: TargetTree, *, through_finally: bool = False
) -> Iterator[Splice]:
    """`return E` becomes `target = E`, and a bare `return` follows unless nothing could run after it.

    Several targets are stored by one statement, `a_ref[...], b_ref[...] = E`: all of E is evaluated first. A dict
    that is written out gives its values, in its order: `return {"a": A, "b": B}` becomes
    `out["a"][...], out["b"][...] = A, B`.

    Args:
      function: the function that the `return` is of.
      node: the `return`; it has a value.
      targets: where the value goes, or a tree of where each value goes, as deep as the value.
      through_finally: whether to store although a `finally` clause runs afterwards, which could use the output.

    Returns:
      The edits, or a refusal: a `finally` clause, a display with other elements or keys than `targets`, something to
      put around a value that is not written by itself, or a generator or async function.

    Raises:
      ValueError: `node` is no `return` of this function, or has no value.
    """
    place = storable(function, node, through_finally)
    extent = return_extent(function, node)
    assert node.value is not None
    yield Splice(place.start, extent.start, f"{left_side(node.value, targets)} = ")
    yield from fitted(function, node.value, extent, targets)
    yield from return_after(function, place)


@operation
def store_element(
    function: FunctionSource, node: ast.Return, target: TargetTree, *, through_finally: bool = False
) -> Iterator[Splice]:
    """`return (E,)` or `return [E]` becomes `target = E`. Arguments, refusals and errors are those of `store`."""
    place = storable(function, node, through_finally)
    extent = return_extent(function, node)
    value = node.value
    if not isinstance(value, ast.Tuple | ast.List) or len(value.elts) != 1 or isinstance(value.elts[0], ast.Starred):
        raise Refused("The returned value is not written as a tuple or list of one element.")
    element = value.elts[0]
    yield Splice(place.start, extent.start, f"{left_side(element, target)} = ")
    yield from fitted(function, element, extent_of_element(function, value), target)
    yield from without_brackets(function, value, keep=False)
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


def storable(function: FunctionSource, node: ast.Return, through_finally: bool) -> Placement:
    """Where a `return` stands that is to become a store.

    Raises:
      ValueError: `node` is no `return` of this function.
      Refused: a `finally` clause runs afterwards and `through_finally` is not set.
    """
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

"""Stores the parts of a returned container that is not written out where it is returned."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pallas_lsp.rewrite.placement import Layout, return_after
from pallas_lsp.rewrite.returns import storable
from pallas_lsp.rewrite.source import FunctionSource, Refused, Splice, fresh_name, line_end, operation
from pallas_lsp.rewrite.values import return_extent


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a value: `target = value selector`.

    Args:
      target: where it goes, such as `out["a"][...]`.
      selector: what picks it out of the value, such as `["a"]` or `.a`.
    """

    target: str
    selector: str


@operation
def store_parts(
    function: FunctionSource, node: ast.Return, parts: Sequence[Part], *, through_finally: bool = False
) -> Iterator[Splice]:
    """`return result` becomes `out["a"][...], out["b"][...] = result["a"], result["b"]`.

    A value that is no plain name is given one first, on a line of its own: `result = E`.

    Args:
      function: the function that the `return` is of.
      node: the `return`; it has a value.
      parts: where each part goes; at least one.
      through_finally: whether to store although a `finally` clause runs afterwards.

    Returns:
      The edits, or a refusal: a `finally` clause, a value that shares its line with other code, or a generator or
      async function.

    Raises:
      ValueError: `node` is no `return` of this function, or has no value.
    """
    place = storable(function, node, through_finally)
    extent = return_extent(function, node)
    targets = ", ".join(part.target for part in parts)
    if isinstance(node.value, ast.Name):
        start, end = function.start(node.value), function.end(node.value)
        yield Splice(place.start, extent.start, f"{targets} = ")
        yield Splice(start, end, _selected(function.text[start:end], parts))
        yield from return_after(function, place)
        return
    if place.layout is not Layout.OWN_LINE or place.rest is None:
        raise Refused("The value shares its line with other code: give it a name on a line of its own first.")
    name = fresh_name(function.source, "result")
    line = function.source.newline() + place.indentation
    end = line_end(function.source, function.source.position(place.end).line)
    yield Splice(place.start, extent.start, f"{name} = ")
    after = "" if place.tail else f"{line}return"
    yield Splice(end, end, f"{line}{targets} = {_selected(name, parts)}{after}")


def _selected(name: str, parts: Sequence[Part]) -> str:
    return ", ".join(f"{name}{part.selector}" for part in parts)

"""What an index map gives, and where it says so."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from pallas_lsp.rules.launches import Spot
from pallas_lsp.semantics.launches import Block
from pallas_lsp.semantics.values import Array, Constant, Function, Sequence, Value, is_none
from pallas_lsp.syntax import Chunk


@dataclass(frozen=True, slots=True)
class Results:
    """The block indices that an index map gives on one way out.

    Args:
      items: the indices.
      name: of the function.
      node: the expression that is returned, or the function.
      chunk: where the node is.
      path: the module that the chunk is of.
    """

    items: tuple[Value, ...]
    name: str
    node: ast.AST
    chunk: Chunk
    path: str

    @property
    def spot(self) -> Spot:
        """Where they are given."""
        return Spot(self.node, self.chunk, self.path)

    def spot_of_item(self, number: int) -> Spot:
        """Where one of them is given."""
        node = self.node
        if isinstance(node, (ast.Tuple, ast.List)) and len(node.elts) == len(self.items):
            node = node.elts[number]
        return Spot(node, self.chunk, self.path)


def results_of(block: Block) -> Iterator[Results]:
    """The known results of a block's index map; nothing where one of its ways out is not known."""
    invocation, function = block.invocation, block.invocation.function if block.invocation is not None else None
    if invocation is None or not isinstance(function, Function):
        return
    ways: list[tuple[Value, ast.AST]] = [
        (way.value, way.node.body if isinstance(way.node, ast.Lambda) else way.node.value or way.node)
        for way in invocation.returns
    ]
    if invocation.falls_through and isinstance(function.node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        if ways:
            return
        ways = [(invocation.value, function.node.body[-1])]
    for value, node in ways:
        items = _items(value)
        if items is not None:
            yield Results(items, function.name, node, function.chunk, function.frame.path)


def _items(value: Value) -> tuple[Value, ...] | None:
    """What JAX makes of a result: a tuple of indices, or one index."""
    match value:
        case Sequence(items=items):
            return items
        case Array() | Constant():
            return (value,)
        case _ if is_none(value):
            return (value,)
        case _:
            return None

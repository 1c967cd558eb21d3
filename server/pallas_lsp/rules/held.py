"""Proofs that the outputs already hold what a kernel returns; without one, removing the `return` may lose a result."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from pallas_lsp.rewrite.placement import path
from pallas_lsp.rewrite.source import own_nodes
from pallas_lsp.semantics.kernels import Way, leaves
from pallas_lsp.semantics.values import Array, Constant, Mapping, NamedTuple, Record, Ref, Sequence, Value, alternatives
from pallas_lsp.syntax import walk

Pair = tuple[Value, "ast.expr | None", Ref]
"""A returned leaf, how it is written where it is, and the output that belongs to it."""

_REPEATED = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def value_leaves(value: Value) -> Iterator[Value]:
    """The parts of a returned tree, in JAX's order."""
    match value:
        case Sequence(items=items) | NamedTuple(items=items):
            for item in items:
                yield from value_leaves(item)
        case Mapping(items=pairs):
            for _, item in sorted(pairs, key=lambda pair: str(pair[0])):
                yield from value_leaves(item)
        case _:
            yield value


def paired(value: Value, expression: ast.expr | None, outputs: tuple[Value, ...]) -> list[Pair] | None:
    """Each returned leaf with its output; None when the structures differ."""
    if len(outputs) == 1:
        alone = _paired_one(value, expression, outputs[0])
        if alone is not None:
            return alone
    return _paired_one(value, expression, Sequence(outputs))


def _paired_one(value: Value, expression: ast.expr | None, output: Value) -> list[Pair] | None:
    match output, value:
        case Ref(), Sequence() | NamedTuple() | Mapping() | Record():
            return None
        case Ref(), _:
            return [(value, expression, output)]
        case ((Sequence(items=inner) | NamedTuple(items=inner)), (Sequence(items=items) | NamedTuple(items=items))):
            written = elements(expression, len(items))
            return _joined(zip(items, written, inner, strict=True)) if len(items) == len(inner) else None
        case Mapping(items=pairs), Mapping(items=items) if {key for key, _ in pairs} == {key for key, _ in items}:
            given = dict(items)
            return _joined((given[key], None, part) for key, part in pairs)
        case _:
            return None


def elements(expression: ast.expr | None, number: int) -> Iterable[ast.expr | None]:
    """The elements of a sequence of that length, as written; None for each when they are not, or with a star."""
    written = expression.elts if isinstance(expression, (ast.Tuple, ast.List)) else []
    return (
        [None] * number if len(written) != number or any(isinstance(one, ast.Starred) for one in written) else written
    )


def _joined(rows: Iterable[tuple[Value, ast.expr | None, Value]]) -> list[Pair] | None:
    found: list[Pair] = []
    for value, expression, output in rows:
        pairs = _paired_one(value, expression, output)
        if pairs is None:
            return None
        found += pairs
    return found


def read_outputs(value: Value, expression: ast.expr, outputs: tuple[Value, ...]) -> list[Ref] | None:
    """The outputs that a returned tree is made of, in its order; None when it has any other part.

    An output counts when it is returned itself, or read whole in the returned expression. What was read before may
    have been overwritten since.
    """
    known = set(leaves(outputs))
    now = set(own_nodes([expression]))
    found: list[Ref] = []
    for leaf in value_leaves(value):
        match leaf:
            case Ref() if leaf in known:
                found.append(leaf)
            case Array(whole=Ref() as ref, origin=ast.AST() as origin) if ref in known and origin in now:
                found.append(ref)
            case _:
                return None
    return found or None


def is_held(way: Way, names: dict[Ref, str]) -> bool:
    """Whether the outputs surely hold all that is returned: it is read from them, or was stored in them.

    Args:
      way: the return.
      names: Python text for the Refs.
    """
    expression = way.node.body if isinstance(way.node, ast.Lambda) else way.node.value
    value, outputs = way.returned.value, way.run.outputs or ()
    if expression is None:
        return False
    if read_outputs(value, expression, outputs) == list(leaves(outputs)):
        return all(ref in way.returned.stores for ref in leaves(outputs))
    pairs = paired(value, expression, outputs)
    return pairs is not None and all(
        ref in names and is_stored(way, leaf, written, ref, names[ref]) for leaf, written, ref in pairs
    )


def is_stored(way: Way, value: Value, expression: ast.expr | None, ref: Ref, name: str) -> bool:
    """Whether the last store into `ref`, whose name is given, surely happened and stored this very object."""
    store = way.returned.stores.get(ref)
    function = way.function.node
    if store is None or not store.certain or isinstance(function, ast.Lambda) or not _precedes(way, store.node):
        return False
    roots = {root for root, held in way.returned.names.items() if ref in leaves(alternatives(held))}
    roots.add(name.partition("[")[0].partition(".")[0])
    mentions = [node for node in walk(function) if isinstance(node, ast.Name) and node.id in roots]
    if any(_is_between(node, store.node, way.node) for node in mentions):
        return False
    if isinstance(value, Constant):
        return value == store.value
    once = _evaluated_once(function)
    match value, store.value:
        case Array(origin=ast.AST() as origin), Array(origin=other) if origin is other and origin in once:
            return True
    match expression, store.node:
        case ast.Name(id=variable), ast.Assign(value=ast.Name(id=stored)) if variable == stored:
            bindings = [node for node in walk(function) if _binds(node, variable)]
            nested = (node for node in walk(function) if isinstance(node, _NESTED) and node is not function)
            inside = {part for node in nested for part in walk(node)}
            return len(bindings) == 1 and bindings[0] in once and inside.isdisjoint(mentions)
    return False


def _is_between(node: ast.AST, first: ast.AST, last: ast.AST) -> bool:
    """Whether a node stands behind one and before another in the text."""
    start = (getattr(node, "lineno", 0), getattr(node, "col_offset", 0))
    after = (getattr(first, "end_lineno", 0), getattr(first, "end_col_offset", 0))
    return after <= start < (getattr(last, "lineno", 0), getattr(last, "col_offset", 0))


def _precedes(way: Way, node: ast.AST) -> bool:
    """Whether a statement has been completed whenever the `return` is reached: one above it in the same block."""
    if not isinstance(way.node, ast.Return):
        return False
    for step in path(way.function.node, way.node):
        for statement in getattr(step.parent, step.field):
            if statement is step.child:
                break
            if statement is node or (isinstance(statement, ast.Expr) and statement.value is node):
                return True
    return False


def _evaluated_once(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[ast.AST]:
    """The nodes that one call of a function evaluates once at most: none of loops and nested functions."""
    found: set[ast.AST] = set()
    stack: list[ast.AST] = list(function.body)
    while stack:
        node = stack.pop()
        found.add(node)
        if isinstance(node, _LOOPS):
            stack += node.orelse
        elif not isinstance(node, (*_REPEATED, *_NESTED)):
            stack += ast.iter_child_nodes(node)
    return found


def _binds(node: ast.AST, name: str) -> bool:
    match node:
        case ast.Name(id=bound, ctx=ast.Store() | ast.Del()):
            return bound == name
        case ast.arg(arg=bound):
            return bound == name
        case ast.FunctionDef(name=bound) | ast.AsyncFunctionDef(name=bound) | ast.ClassDef(name=bound):
            return bound == name
        case ast.ExceptHandler(name=bound):
            return bound == name
        case ast.alias(name=bound, asname=other):
            return (other or bound) == name
        case ast.MatchAs(name=bound) | ast.MatchStar(name=bound) | ast.MatchMapping(rest=bound):
            return bound == name
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            return name in names
        case _:
            return False

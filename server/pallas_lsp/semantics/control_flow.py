"""JAX's control flow, and what else calls a function of the user and gives its result."""

from __future__ import annotations

import ast
from dataclasses import replace
from functools import partial

from pallas_lsp.semantics import members, observing
from pallas_lsp.semantics.arguments import Arguments
from pallas_lsp.semantics.calls import Call, Handler
from pallas_lsp.semantics.jax_api import PALLAS
from pallas_lsp.semantics.launches import scratch_ref
from pallas_lsp.semantics.values import (
    NONE,
    SOMETHING,
    UNKNOWN,
    Array,
    Constant,
    Decorator,
    Mapping,
    NamedTuple,
    Ref,
    Sequence,
    Value,
    View,
    join,
)


def generalised(value: Value) -> Value:
    """The value of a loop carry after some iterations: the tree of the first, other leaves."""
    match value:
        case Constant(value=bool() | int() | float() | complex()):
            return Array((), "")
        case Array(shape=shape, dtype=dtype, staged=staged):
            return Array(shape, dtype, staged=staged)
        case Sequence(items=items, is_list=is_list):
            return Sequence(tuple(generalised(item) for item in items), is_list)
        case Mapping(items=pairs):
            return Mapping(tuple((key, generalised(item)) for key, item in pairs))
        case NamedTuple(cls=cls, items=items):
            return NamedTuple(cls, tuple(generalised(item) for item in items))
        case _:
            return value


def carried(value: Value) -> Value:
    """The value of a loop carry inside the loop: as `generalised`, and traced wherever the loop stands."""
    match generalised(value):
        case Array() as array:
            return replace(array, staged=True)
        case Sequence(items=items, is_list=is_list):
            return Sequence(tuple(map(carried, items)), is_list)
        case Mapping(items=pairs):
            return Mapping(tuple((key, carried(item)) for key, item in pairs))
        case NamedTuple(cls=cls, items=items):
            return NamedTuple(cls, tuple(map(carried, items)))
        case other:
            return other


def stacked(value: Value) -> Value:
    """The value of results that a scan or map has stacked: the same tree, other shapes."""
    match value:
        case Constant(value=bool() | int() | float() | complex()) | Array():
            return Array()
        case Sequence(items=items, is_list=is_list):
            return Sequence(tuple(stacked(item) for item in items), is_list)
        case Mapping(items=pairs):
            return Mapping(tuple((key, stacked(item)) for key, item in pairs))
        case NamedTuple(cls=cls, items=items):
            return NamedTuple(cls, tuple(stacked(item) for item in items))
        case _:
            return value


def _fori_loop(request: Call) -> Value:
    carry = request.get("init_val", 3) or UNKNOWN
    body = request.get("body_fun", 2)
    results: list[Value] = []
    request.interpreter.perhaps(
        lambda: results.append(request.run(body, Array((), "int32", staged=True), carried(carry)))
    )
    _see_carry(request, 2, "body_fun", carry, results[0])
    return generalised(carry)


def _see_carry(request: Call, position: int, name: str, carry: Value, returned: Value) -> None:
    """Reports what a body makes of the carry, at the argument that is the body."""
    node: ast.AST = request.node
    if isinstance(node, ast.Call):
        named = next((keyword.value for keyword in node.keywords if keyword.arg == name), None)
        node = named or (node.args[position] if position < len(node.args) else node)
    loop = request.name.rpartition(".")[2]
    observing.carry_returned(request.interpreter, node, loop, (carry, returned), request.frame)


def _while_loop(request: Call) -> Value:
    carry = request.get("init_val", 2) or UNKNOWN
    condition, body = request.get("cond_fun", 0), request.get("body_fun", 1)
    results: list[Value] = []
    request.interpreter.perhaps(
        lambda: results.extend((request.run(condition, carried(carry)), request.run(body, carried(carry))))
    )
    _see_carry(request, 1, "body_fun", carry, results[1])
    return generalised(carry)


def _scan(request: Call) -> Value:
    carry = request.get("init", 1) or UNKNOWN
    inputs = request.get("xs", 2) or NONE
    results: list[Value] = []
    request.interpreter.perhaps(
        lambda: results.append(request.run(request.get("f", 0), carried(carry), stacked(inputs)))
    )
    outputs: Value = SOMETHING
    match results[0]:
        case Sequence(items=(returned, given)):
            outputs = stacked(given)
            _see_carry(request, 0, "f", carry, returned)
    return Sequence((generalised(carry), outputs))


def _cond(request: Call) -> Value:
    branches = (request.get("true_fun", 1), request.get("false_fun", 2))
    return _either(request, branches, request.arguments.positional[3:])


def _switch(request: Call) -> Value:
    branches = members.items_of(request.get("branches", 1) or UNKNOWN)
    if branches is None:
        request.interpreter.escape(request.arguments.values(), request.node)
        return UNKNOWN
    return _either(request, branches, request.arguments.positional[2:])


def _either(request: Call, branches: tuple[Value | None, ...], operands: tuple[Value, ...]) -> Value:
    results: list[Value] = []

    def follow(branch: Value | None) -> None:
        results.append(request.run(branch, *operands))

    for branch in branches:
        request.interpreter.perhaps(partial(follow, branch))
    return join(results) if request.arguments.complete else UNKNOWN


def _lax_map(request: Call) -> Value:
    results: list[Value] = []
    request.interpreter.perhaps(
        lambda: results.append(request.run(request.get("f", 0), stacked(request.get("xs", 1) or UNKNOWN)))
    )
    return stacked(results[0])


def _run_scoped(request: Call) -> Value:
    function, *types = request.arguments.positional or (None,)
    function = function or request.get("f")
    scratch = tuple(scratch_ref(value, index) for index, value in enumerate(types))
    keywords = tuple(
        (name, scratch_ref(value, len(scratch) + index))
        for index, (name, value) in enumerate(request.arguments.keywords)
        if name not in ("collective_axes", "f")
    )
    if function is None:
        return UNKNOWN
    arguments = Arguments(scratch, keywords, request.arguments.complete)
    return request.interpreter.call(function, arguments, request.node, request.frame)


def _with_scoped(request: Call) -> Value:
    types = [(str(index), scratch_ref(value, index)) for index, value in enumerate(request.arguments.positional)]
    types += [
        (name, scratch_ref(value, len(types)))
        for name, value in request.arguments.keywords
        if name != "collective_axes"
    ]
    return Decorator(f"{PALLAS}.with_scoped", tuple(types), request.node, request.arguments.complete)


def _tree_map(request: Call) -> Value:
    function, *trees = request.arguments.positional or (UNKNOWN,)
    return _map_over(request, function, trees) if trees and request.arguments.complete else UNKNOWN


def _map_over(request: Call, function: Value, trees: list[Value]) -> Value:
    first = trees[0]
    match first:
        case Sequence(items=items) | NamedTuple(items=items):
            columns = [members.items_of(tree) for tree in trees]
            if any(column is None or len(column) != len(items) for column in columns):
                return SOMETHING
            results = tuple(
                _map_over(request, function, [column[index] for column in columns if column is not None])
                for index in range(len(items))
            )
            return Sequence(results, first.is_list) if isinstance(first, Sequence) else NamedTuple(first.cls, results)
        case Mapping(items=pairs):
            rows = []
            for key, _ in pairs:
                values = [tree.get(key) if isinstance(tree, Mapping) else None for tree in trees]
                known = [value for value in values if value is not None]
                if len(known) != len(values):
                    return SOMETHING
                rows.append((key, _map_over(request, function, known)))
            return Mapping(tuple(rows))
        case Array() | Ref() | View():
            return request.run(function, *trees)
        case Constant(value=bool() | int() | float() | complex() | str()):
            return request.run(function, *trees)
        case _ if first == NONE:
            return NONE
        case _:
            request.interpreter.perhaps(lambda: request.run(function, *(UNKNOWN for _ in trees)))
            return UNKNOWN


HANDLERS: dict[str, Handler] = {
    "jax.lax.fori_loop": _fori_loop,
    "jax.lax.while_loop": _while_loop,
    "jax.lax.scan": _scan,
    "jax.lax.cond": _cond,
    "jax.lax.switch": _switch,
    "jax.lax.map": _lax_map,
    "jax.tree.map": _tree_map,
    f"{PALLAS}.run_scoped": _run_scoped,
    f"{PALLAS}.with_scoped": _with_scoped,
}
"""The functions of JAX and Pallas that call a function of the user."""

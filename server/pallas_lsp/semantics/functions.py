"""What a function's own code says before it runs: its local names, and whether a call runs it at all."""

from __future__ import annotations

import ast

from pallas_lsp.semantics.frames import scope_bindings
from pallas_lsp.semantics.values import Function


def local_names(function: Function, body: list[ast.stmt] | list[ast.expr]) -> frozenset[str]:
    """The names that are local to a function: its parameters, and what its body binds."""
    key = ("local", function.node)
    known = function.chunk.memo.get(key)
    if known is None:
        parameters = function.node.args
        every = [*parameters.posonlyargs, *parameters.args, *parameters.kwonlyargs]
        every += [star for star in (parameters.vararg, parameters.kwarg) if star is not None]
        bound = scope_bindings(body) | {parameter.arg for parameter in every}
        known = function.chunk.memo[key] = bound - redirected_names(function, body)
    assert isinstance(known, frozenset)
    return known


def redirected_names(function: Function, body: list[ast.stmt] | list[ast.expr]) -> frozenset[str]:
    """The names that a function declares `global` or `nonlocal`."""
    key = ("redirected", function.node)
    known = function.chunk.memo.get(key)
    if known is None:
        names: set[str] = set()
        stack: list[ast.AST] = list(body)
        while stack:
            node = stack.pop()
            if isinstance(node, (ast.Global, ast.Nonlocal)):
                names.update(node.names)
            elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
                stack.extend(ast.iter_child_nodes(node))
        known = function.chunk.memo[key] = frozenset(names)
    assert isinstance(known, frozenset)
    return known


def special_kind(function: Function) -> str:
    """What a call gives without running the body: a coroutine or a generator; empty for an ordinary function."""
    key = ("kind", function.node)
    known = function.chunk.memo.get(key)
    if known is None:
        known = function.chunk.memo[key] = _special_kind(function.node)
    assert isinstance(known, str)
    return known


def _special_kind(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> str:
    if isinstance(node, ast.AsyncFunctionDef):
        return "coroutine"
    stack: list[ast.AST] = [node.body] if isinstance(node, ast.Lambda) else list(node.body)
    while stack:
        current = stack.pop()
        if isinstance(current, (ast.Yield, ast.YieldFrom)):
            return "generator"
        if not isinstance(current, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            stack.extend(ast.iter_child_nodes(current))
    return ""

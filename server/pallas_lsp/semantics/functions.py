"""What a function's own code says before it runs: its local names, and whether a call runs it at all."""

from __future__ import annotations

import ast
import re

from pallas_lsp.semantics.bindings import scope_bindings
from pallas_lsp.semantics.values import Function, Unknown
from pallas_lsp.syntax import Chunk

# Where a declaration may stand; what it finds in a comment or a string costs a look at the tree.
_DECLARATION = re.compile(r"(?:^|[;:])[ \t\f]*(?:global|nonlocal)\b", re.M)

_ARRAY_TYPES = frozenset({"Array", "ndarray"})
"""The last parts of the names of array types."""


def local_names(function: Function, body: list[ast.stmt] | list[ast.expr]) -> frozenset[str]:
    """The names that are local to a function: its parameters, and what its body binds."""
    key = ("local", function.node)
    known = function.chunk.memo.get(key)
    if known is None:
        parameters = function.node.args
        every = [*parameters.posonlyargs, *parameters.args, *parameters.kwonlyargs]
        every += [star for star in (parameters.vararg, parameters.kwarg) if star is not None]
        bound = scope_bindings(body, function.chunk) | {parameter.arg for parameter in every}
        known = function.chunk.memo[key] = bound - redirected_names(function, body)
    assert isinstance(known, frozenset)
    return known


def redirected_names(function: Function, body: list[ast.stmt] | list[ast.expr]) -> frozenset[str]:
    """The names that a function declares `global` or `nonlocal`."""
    key = ("redirected", function.node)
    known = function.chunk.memo.get(key)
    if known is None:
        names: set[str] = set()
        stack: list[ast.AST] = list(body) if _declares(function.chunk) else []
        while stack:
            node = stack.pop()
            if isinstance(node, (ast.Global, ast.Nonlocal)):
                names.update(node.names)
            elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
                stack.extend(ast.iter_child_nodes(node))
        known = function.chunk.memo[key] = frozenset(names)
    assert isinstance(known, frozenset)
    return known


def _declares(chunk: Chunk) -> bool:
    known = chunk.memo.get(_DECLARATION)
    if known is None:
        hint = "global" in chunk.text or "nonlocal" in chunk.text
        known = chunk.memo[_DECLARATION] = hint and _DECLARATION.search(chunk.text) is not None
    return bool(known)


def special_kind(function: Function) -> str:
    """What a call gives without running the body: a coroutine or a generator; empty for an ordinary function."""
    if isinstance(function.node, ast.AsyncFunctionDef):
        return "coroutine"
    if "yield" not in function.chunk.text:
        return ""
    key = ("kind", function.node)
    known = function.chunk.memo.get(key)
    if known is None:
        known = function.chunk.memo[key] = "generator" if _yields(function.node) else ""
    assert isinstance(known, str)
    return known


def _yields(node: ast.AST) -> bool:
    stack = list(ast.iter_child_nodes(node))
    while stack:
        current = stack.pop()
        if isinstance(current, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(current, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            stack.extend(ast.iter_child_nodes(current))
    return False


def is_array_parameter(value: Unknown) -> bool:
    """Whether a parameter without a default is declared as one array: `jax.Array` or `Float[Array, "n d"]`."""
    if not isinstance(value.owner, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    arguments = value.owner.args
    positional = [*arguments.posonlyargs, *arguments.args]
    optional = positional[len(positional) - len(arguments.defaults) :]
    optional += [one for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if default]
    for parameter in (*positional, *arguments.kwonlyargs):
        if parameter.arg == value.parameter:
            annotation = parameter.annotation
            return annotation is not None and parameter not in optional and _is_array_type(annotation)
    return False


def _is_array_type(annotation: ast.expr) -> bool:
    match annotation:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in _ARRAY_TYPES
        case ast.Subscript(slice=ast.Tuple(elts=[first, ast.Constant(value=str())])):
            return _is_array_type(first)
        case _:
            return False

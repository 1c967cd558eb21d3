"""Where else a kernel is used than in its launches."""

from __future__ import annotations

import ast

from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.facts import facts_of
from pallas_lsp.semantics.frames import Scope
from pallas_lsp.semantics.values import Function, alternatives
from pallas_lsp.syntax import Chunk, walk


def plain_calls(analysis: Analysis, function: Function) -> list[int]:
    """The 0-based lines of the module on which a function is called as such and its result is used."""
    if isinstance(function.node, ast.Lambda) or not _means_itself(analysis, function):
        return []
    method = function.owner is not None
    found: list[int] = []
    for chunk in _chunks(analysis.module.parsed.chunks):
        if function.name in facts_of(chunk).mentions:
            first = analysis.module.parsed.line_of(chunk)
            found += [first + node.lineno - 1 for node in _calls(chunk, function, method)]
    return sorted(found)


def _means_itself(analysis: Analysis, function: Function) -> bool:
    """Whether the function's name still means it; after `f = pl.pallas_call(f, ...)` a call of `f` is a launch."""
    if function.frame.scope is not Scope.MODULE:
        return True
    value = analysis.interpreter.module_name(analysis.module, function.name)
    return any(isinstance(one, Function) and one.node is function.node for one in alternatives(value))


def _chunks(chunks: tuple[Chunk, ...]) -> list[Chunk]:
    return [inner for chunk in chunks for inner in (chunk, *_chunks(chunk.members))]


def _calls(chunk: Chunk, function: Function, method: bool) -> list[ast.Call]:
    inside = set(walk(function.node))
    statements = [
        node.value for statement in chunk.statements for node in walk(statement) if isinstance(node, ast.Expr)
    ]
    unused = {value for value in statements if isinstance(value, ast.Call)}
    return [
        node
        for statement in chunk.statements
        for node in walk(statement)
        if isinstance(node, ast.Call)
        and node not in inside
        and node not in unused
        and _is_called(node.func, function.name, method)
    ]


def _is_called(callee: ast.expr, name: str, method: bool) -> bool:
    if method:
        return isinstance(callee, ast.Attribute) and callee.attr == name
    return isinstance(callee, ast.Name) and callee.id == name

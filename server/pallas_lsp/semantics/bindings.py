"""The names that code binds in its own scope: nested functions and classes are not entered."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from pallas_lsp.syntax import Chunk


def scope_bindings(nodes: Iterable[ast.AST], chunk: Chunk) -> frozenset[str]:
    """The names that statements, targets or patterns bind.

    Args:
      nodes: statements, targets of assignments or patterns.
      chunk: in which they stand. Only if it has a `:=` are expressions looked into, where most nodes are.
    """
    return _bindings(nodes, expressions=":=" in chunk.text)


def _bindings(nodes: Iterable[ast.AST], expressions: bool) -> frozenset[str]:
    bound: set[str | None] = set()
    stack: list[ast.AST] = list(nodes)
    while stack:
        node = stack.pop()
        kind = type(node)
        if isinstance(node, ast.Name):
            if not isinstance(node.ctx, ast.Load):
                bound.add(node.id)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            bound.update(alias.asname or alias.name.partition(".")[0] for alias in node.names if alias.name != "*")
        elif kind in _NAMED:
            bound.add(getattr(node, _NAMED[kind]))
        if expressions and kind not in _SCOPES:
            stack.extend(ast.iter_child_nodes(node))
            continue
        for field in (_EVALUATED if expressions else BINDING_FIELDS).get(kind, ()):
            value = getattr(node, field)
            if isinstance(value, list):
                stack += value
            elif value is not None:
                stack.append(value)
    return frozenset(name for name in bound if name is not None)


# Nodes that bind a name which they hold as text, and where.
_NAMED: dict[type[ast.AST], str] = {
    ast.FunctionDef: "name",
    ast.AsyncFunctionDef: "name",
    ast.ClassDef: "name",
    ast.ExceptHandler: "name",
    ast.MatchAs: "name",
    ast.MatchStar: "name",
    ast.MatchMapping: "rest",
}

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)

# What of a nested scope runs in the outer one.
_EVALUATED: dict[type[ast.AST], tuple[str, ...]] = {
    ast.FunctionDef: ("decorator_list",),
    ast.AsyncFunctionDef: ("decorator_list",),
    ast.ClassDef: ("decorator_list",),
}

BINDING_FIELDS: dict[type[ast.AST], tuple[str, ...]] = {
    ast.Assign: ("targets",),
    ast.AugAssign: ("target",),
    ast.AnnAssign: ("target",),
    ast.NamedExpr: ("target",),
    ast.Delete: ("targets",),
    ast.For: ("target", "body", "orelse"),
    ast.AsyncFor: ("target", "body", "orelse"),
    ast.While: ("body", "orelse"),
    ast.If: ("body", "orelse"),
    ast.With: ("items", "body"),
    ast.AsyncWith: ("items", "body"),
    ast.withitem: ("optional_vars",),
    ast.Try: ("body", "handlers", "orelse", "finalbody"),
    ast.ExceptHandler: ("body",),
    ast.Match: ("cases",),
    ast.match_case: ("pattern", "body"),
    ast.MatchSequence: ("patterns",),
    ast.MatchMapping: ("patterns",),
    ast.MatchClass: ("patterns", "kwd_patterns"),
    ast.MatchAs: ("pattern",),
    ast.MatchOr: ("patterns",),
    ast.Tuple: ("elts",),
    ast.List: ("elts",),
    ast.Starred: ("value",),
}
"""Where nodes hold what may bind, besides `:=` in an expression: statements, targets and patterns."""
if hasattr(ast, "TryStar"):  # Python 3.11
    BINDING_FIELDS[ast.TryStar] = BINDING_FIELDS[ast.Try]
if hasattr(ast, "TypeAlias"):  # Python 3.12
    BINDING_FIELDS[ast.TypeAlias] = ("name",)

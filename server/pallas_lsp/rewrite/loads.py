"""Reads of names that become Refs: `x` is read as `x[...]`."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from pallas_lsp.rewrite.source import (
    FunctionNode,
    FunctionSource,
    Refused,
    Splice,
    body_of,
    operation,
    outer_parts,
    own_nodes,
)

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_TEMPLATES = ("JoinedStr", "TemplateStr")
"""By name, since the second is new in 3.14."""


class _Visit(NamedTuple):
    node: ast.AST
    active: frozenset[str]
    obstacle: str


@operation
def read_refs(
    function: FunctionSource, names: Collection[str], *, attributes: Collection[str] = ()
) -> Iterator[Splice]:
    """Each use of a name as a value becomes `name[...]`, in nested functions too, unless the name means another there.

    A use with an index of its own, `name[i]`, stays, and so does `name.attribute` for the given attributes.

    Args:
      function: the function or lambda.
      names: of parameters.
      attributes: what a Ref answers itself, such as `shape` and `dtype`.

    Returns:
      The edits, or a refusal: a name is bound again or deleted, is used in an f-string, a pattern or a class
      definition, or a generator or async function.
    """
    node = function.node
    body = body_of(node)
    rebound = _bindings(body).union(*(part.names for part in ast.walk(node) if isinstance(part, ast.Nonlocal)))
    for name in names:
        if name in rebound:
            raise Refused(f"`{name}` is bound again in this function.")
    stack = [_Visit(part, frozenset(names), "") for part in body]
    while stack:
        visit = stack.pop()
        if isinstance(visit.node, ast.Name):
            if visit.node.id in visit.active:
                if visit.obstacle:
                    raise Refused(f"`{visit.node.id}` is used in {visit.obstacle}.")
                start, end = function.start(visit.node), function.end(visit.node)
                yield Splice(start, end, f"{function.text[start:end]}[...]")
        else:
            stack += _parts(visit, attributes)


def _parts(visit: _Visit, attributes: Collection[str]) -> Iterator[_Visit]:
    """What to visit inside a node that is not a name, each with the names that still mean the parameters there."""
    node, active = visit.node, visit.active
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        yield from (visit._replace(node=part) for part in outer_parts(node))
        body = body_of(node)
        inner = active - _parameters(node) - _bindings(body)
        yield from (visit._replace(node=part, active=inner) for part in body)
    elif isinstance(node, _COMPREHENSIONS):
        first = node.generators[0].iter
        inner = active - _bindings(generator.target for generator in node.generators)
        yield visit._replace(node=first)
        yield from (
            visit._replace(node=child, active=inner)
            for part in (node, *node.generators)
            for child in ast.iter_child_nodes(part)
            if child is not first and not isinstance(child, ast.comprehension)
        )
    else:
        obstacle = visit.obstacle
        if type(node).__name__ in _TEMPLATES:
            obstacle = "an f-string"
        elif isinstance(node, ast.pattern):
            obstacle = "a pattern"
        elif isinstance(node, ast.ClassDef):
            obstacle = "a class definition"
        stays = isinstance(node, ast.Subscript) or (isinstance(node, ast.Attribute) and node.attr in attributes)
        for child in ast.iter_child_nodes(node):
            if not (stays and isinstance(child, ast.Name) and child is node.value):  # type: ignore[attr-defined]
                yield _Visit(child, active, obstacle)


def _parameters(function: FunctionNode) -> set[str]:
    arguments = function.args
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    return {argument.arg for argument in named if argument is not None}


def _bindings(body: Iterable[ast.AST]) -> set[str]:
    """The names that a scope binds, deletes or declares global, given the nodes of its body."""
    names: set[str] = set()
    stack = list(body)
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
            stack += outer_parts(node)
        elif isinstance(node, ast.Lambda):
            stack += outer_parts(node)
        elif isinstance(node, _COMPREHENSIONS):
            # Its targets are its own, but a walrus in it binds in the scope around it.
            stack += (part.target for part in own_nodes([node]) if isinstance(part, ast.NamedExpr))
        else:
            stack += ast.iter_child_nodes(node)
            names.update(_named(node))
    return names


def _named(node: ast.AST) -> Iterable[str]:
    """The names that a node binds by itself."""
    if isinstance(node, ast.alias):
        return [(node.asname or node.name).partition(".")[0]]
    if isinstance(node, ast.Global):
        return node.names
    if isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar):
        return [node.name] if node.name else []
    if isinstance(node, ast.MatchMapping):
        return [node.rest] if node.rest else []
    return []

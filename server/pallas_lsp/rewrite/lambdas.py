"""Rewrites of a lambda, whose body cannot hold an assignment."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeAlias

from pallas_lsp.rewrite.placement import path
from pallas_lsp.rewrite.source import (
    FunctionSource,
    Refused,
    Splice,
    fresh_name,
    has_line_break,
    is_blank,
    is_continued,
    line_end,
    operation,
    punctuation,
    rest_of_line,
    skip_trivia,
    spliced,
    stands_alone,
)
from pallas_lsp.rewrite.values import Extent, Target, TargetTree, fitted, left_side

Scope: TypeAlias = "ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef"

_SIMPLE = (ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return, ast.Raise, ast.Assert, ast.Delete)
_INNER_SCOPES = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_SOMETIMES = (ast.IfExp, ast.BoolOp)
_INERT = (ast.Constant, ast.Name, ast.Tuple, ast.Slice, ast.UnaryOp, ast.unaryop, ast.expr_context)


@operation
def store_lambda(function: FunctionSource, reference: str, *, before: str = "", after: str = "") -> Iterator[Splice]:
    """`lambda ...: E` becomes `lambda ...: reference.__setitem__(..., before E after)`, which returns None.

    Args:
      function: the lambda.
      reference: the expression to store in, such as `o_ref`.
      before: put before E; see `Target`.
      after: put after E.

    Returns:
      The edits, or a refusal: a generator.

    Raises:
      ValueError: the function is not a lambda.
    """
    node = _lambda(function)
    body = _body(function, node)
    yield Splice(body.start, body.start, f"{reference}.__setitem__(..., ")
    yield from fitted(function, node.body, body, Target(reference, before, after))
    yield Splice(body.end, body.end, ")")


@operation
def lambda_to_def(
    function: FunctionSource, statement: ast.stmt, scope: Scope, targets: TargetTree, *, name: str = "kernel"
) -> Iterator[Splice]:
    """A `def` before the statement takes the lambda's place: `def name(parameters): target = E`.

    `f = lambda ...: E` becomes the `def` itself, with the name `f`.

    Args:
      function: the lambda.
      statement: the innermost statement that the lambda is in.
      scope: the innermost module, function or class that `statement` is in the body of, at any depth of `if`, `for`
        and so on; a chunk's module will do for one at the top level.
      targets: where E, or each of its values, goes.
      name: what to call the function; a number is added if the document has that word.

    Returns:
      The edits, or a refusal: the lambda stands in a class body, in the header of a compound statement (as a default,
      in a decorator), in another lambda or a comprehension whose variables it could use, or behind another statement;
      a default could have another value before the statement; as for `store`.

    Raises:
      ValueError: the function is not a lambda, or not in `statement`, or that is not in `scope`.
    """
    node = _lambda(function)
    body = _body(function, node)
    left = left_side(node.body, targets)
    value = spliced(function.text, body.start, body.end, fitted(function, node.body, body, targets))
    yield from _moved(function, statement, scope, f"{left} = {_on_its_own(value)}", name)


@operation
def lambda_as_def(
    function: FunctionSource, statement: ast.stmt, scope: Scope, *, name: str = "kernel"
) -> Iterator[Splice]:
    """As `lambda_to_def`, for a lambda that stays what it is: `return E`, or a store where E is `a.__setitem__(i, v)`.

    Args:
      function: the lambda.
      statement: as for `lambda_to_def`.
      scope: as for `lambda_to_def`.
      name: as for `lambda_to_def`.

    Returns:
      The edits, or a refusal: as for `lambda_to_def`.

    Raises:
      ValueError: as for `lambda_to_def`.
    """
    node = _lambda(function)
    body = _body(function, node)
    does = _as_store(function, node.body, body)
    if does is None:
        does = f"return {_on_its_own(function.text[body.start : body.end])}"
    yield from _moved(function, statement, scope, does, name)


def _as_store(function: FunctionSource, value: ast.expr, extent: Extent) -> str | None:
    """`a[i] = v` for `a.__setitem__(i, v)`; None if it is something else, or could run in another order."""
    match value:
        case ast.Call(
            func=ast.Attribute(value=ast.Name() as array, attr="__setitem__"), args=[index, stored], keywords=[]
        ):
            pass
        case _:
            return None
    # A store computes `v` first: nothing in `i` may do, or depend on, anything that `v` does.
    if not all(isinstance(part, _INERT) for part in ast.walk(index)):
        return None
    if isinstance(stored, ast.Starred) or any(isinstance(part, ast.NamedExpr) for part in ast.walk(stored)):
        return None
    text, start, end = function.text, function.start(stored), function.end(stored)
    if "#" in text[extent.start : start] + text[end : extent.end]:
        return None  # a comment would be lost
    place = text[function.start(index) : function.end(index)]
    return f"{array.id}[{place}] = {_on_its_own(text[start:end])}"


def _on_its_own(value: str) -> str:
    """An expression that stood in brackets as one that a statement ends with."""
    return f"({value})" if has_line_break(value) and not stands_alone(value) else value


def _moved(function: FunctionSource, statement: ast.stmt, scope: Scope, does: str, name: str) -> Iterator[Splice]:
    """Puts a `def` whose body is the statement `does` before the lambda's statement, and its name in its place."""
    node = _lambda(function)
    source, text = function.source, function.text
    step = path(scope, statement)[-1]
    line, start, end = function.line(statement), function.start(statement), function.end(statement)
    margin = text[source.line_start(line) : start]
    _check(node, statement, scope)
    if not is_blank(margin) or is_continued(source, line):
        raise Refused("Another statement stands before the lambda's on the same line.")

    newline = source.newline()
    store = f"{newline}{margin}{function.indentation_unit}{does}"
    parameters = _parameters(function, node)

    blank_lines = 1 if margin else 2
    top = _top(function, line)
    is_first = step.is_first and not isinstance(step.parent, ast.Module)
    lead = newline * (0 if is_first else _missing(function, range(top - 1, -1, -1), blank_lines))
    named = _is_named(function, statement, node)
    if named is not None:
        last = source.position(end).line
        stop, below = line_end(source, last), range(last + 1, source.line_count)
        yield Splice(source.line_start(top), source.line_start(top), lead)
        yield Splice(start, end, f"def {named}({parameters}):{store}")
        yield Splice(stop, stop, newline * (0 if step.is_last else _missing(function, below, blank_lines)))
    else:
        name = fresh_name(source, name)
        definition = f"{lead}{margin}def {name}({parameters}):{store}{newline * (blank_lines + 1)}"
        yield Splice(source.line_start(top), source.line_start(top), definition)
        yield Splice(function.start(node), function.end(node), name)


def _lambda(function: FunctionSource) -> ast.Lambda:
    if not isinstance(function.node, ast.Lambda):
        raise ValueError("the function is not a lambda")
    return function.node


def _colon(function: FunctionSource, node: ast.Lambda) -> tuple[int, int]:
    """The offset at which the last token of the parameters ends, or the keyword, and that of the colon."""
    arguments = node.args
    parts: list[ast.arg | ast.expr | None] = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    parts += [arguments.vararg, arguments.kwarg, *arguments.defaults, *arguments.kw_defaults]
    last = max((function.end(part) for part in parts if part is not None), default=function.start(node) + len("lambda"))
    for offset, token in punctuation(function.text, last, function.end(node)):
        if token == ":":
            return last, offset
        last = offset + 1
    raise AssertionError("a lambda has a colon")


def _parameters(function: FunctionSource, node: ast.Lambda) -> str:
    stop, _ = _colon(function, node)
    return function.text[skip_trivia(function.text, function.start(node) + len("lambda")) : stop]


def _body(function: FunctionSource, node: ast.Lambda) -> Extent:
    start = skip_trivia(function.text, _colon(function, node)[1] + 1)
    return Extent(start, function.end(node), start < function.start(node.body))


def _check(node: ast.Lambda, statement: ast.stmt, scope: Scope) -> None:
    """Refuses a place at which a `def` before the statement could mean something else."""
    parents = _parents(statement, node)
    if isinstance(scope, ast.ClassDef):
        raise Refused("The lambda stands in a class body, where a `def` would be a member.")
    if not isinstance(statement, _SIMPLE):
        raise Refused("The lambda stands in the header of a compound statement.")
    if any(isinstance(parent, _INNER_SCOPES) for parent in parents):
        raise Refused("The lambda stands in another lambda or a comprehension, and could use its variables.")
    moves = any(isinstance(part, ast.NamedExpr) for part in ast.walk(statement)) or any(
        isinstance(parent, _SOMETIMES) for parent in parents
    )
    for default in (*node.args.defaults, *node.args.kw_defaults):
        if not isinstance(default, ast.Constant | None) and (moves or not isinstance(default, ast.Name)):
            raise Refused("A default of the lambda is computed inside the statement.")


def _parents(statement: ast.stmt, node: ast.Lambda) -> list[ast.AST]:
    links: dict[ast.AST, ast.AST] = {}
    for parent in ast.walk(statement):
        links.update(dict.fromkeys(ast.iter_child_nodes(parent), parent))
    if node not in links:
        raise ValueError("the lambda is not in the statement")
    parents = [links[node]]
    while parents[-1] is not statement:
        parents.append(links[parents[-1]])
    return parents


def _is_named(function: FunctionSource, statement: ast.stmt, node: ast.Lambda) -> str | None:
    """The name, as written, if the statement does nothing but give the lambda a name, and a `def` can replace it."""
    if not isinstance(statement, ast.Assign) or statement.value is not node or len(statement.targets) != 1:
        return None
    target, start, end = statement.targets[0], function.start(statement), function.end(statement)
    around_lambda = function.text[start : function.start(node)] + function.text[function.end(node) : end]
    if not isinstance(target, ast.Name) or "#" in around_lambda or rest_of_line(function.source, end) is None:
        return None
    return function.text[function.start(target) : function.end(target)]


def _top(function: FunctionSource, line: int) -> int:
    """The first of the comment lines directly above a statement, or else its own line."""
    # A line with a quote could be the end of a string.
    while line > 0:
        above = function.source.line(line - 1)
        if not above.lstrip(" \t\f").startswith("#") or "'" in above or '"' in above:
            break
        line -= 1
    return line


def _missing(function: FunctionSource, lines: range, wanted: int) -> int:
    """How many blank lines to add to those that `lines`, going away from a statement, starts with."""
    for found, line in enumerate(lines):
        if not is_blank(function.source.line(line)):
            return max(0, wanted - found)
    return 0

"""Turns the header of a compound statement into a decorator and a function, so that JAX runs the body."""

from __future__ import annotations

import ast

from pallas_lsp.findings import Applicability, Edit, Fix, Range
from pallas_lsp.rewrite.source import punctuation
from pallas_lsp.rules.base import range_in
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.bindings import scope_bindings
from pallas_lsp.semantics.events import Event
from pallas_lsp.syntax import Chunk, walk

Header = ast.If | ast.With | ast.For

_LEAVES = (
    *(ast.Return, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom, ast.Await),
    *(ast.Global, ast.Nonlocal, ast.NamedExpr),
)


def as_function(
    analysis: Analysis, event: Event, statement: Header, last: ast.expr, decorator: str, parameter: str, title: str
) -> tuple[Fix, ...]:
    """The fix that makes `@decorator` and `def _(parameter):` of a header, where the body can be a function.

    Args:
      analysis: of the module.
      event: in whose innermost function the statement stands.
      statement: to change.
      last: the expression that its header ends with.
      decorator: with `{}` for the text of that expression, parentheses around it included.
      parameter: of the function.
      title: of the fix.
    """
    source = analysis.module.parsed.source
    whole = range_in(analysis, event.chunk, statement)
    line = source.line(whole.start.line)
    indentation = line[: whole.start.character]
    if indentation.strip(" \t\f") or not _is_plain(statement, event.functions[-1], event.chunk, parameter):
        return ()
    start, end = (source.offset(place) for place in (whole.start, range_in(analysis, event.chunk, last).end))
    colon = next((at for at, sign in punctuation(source.text, end, len(source.text)) if sign != ")"), 0)
    keyword = {ast.If: "if", ast.With: "with", ast.For: "for"}[type(statement)]
    if source.text[colon : colon + 1] != ":" or not source.text.startswith(keyword, start):
        return ()
    begin = start + len(keyword)
    if isinstance(statement, ast.For):
        begin = source.offset(range_in(analysis, event.chunk, last).start)
    text = decorator.format(source.text[begin:colon].strip())
    header = f"@{text}{source.newline()}{indentation}def _({parameter}):"
    edit = Edit(Range(whole.start, source.position(colon + 1)), header)
    return (Fix(title, (edit,), Applicability.SAFE),)


def _is_plain(statement: Header, function: ast.AST, chunk: Chunk, parameter: str) -> bool:
    """Whether the body may become a function: nothing leaves it, no `else`, and its names are its own."""
    inside = {node for part in statement.body for node in walk(part)}
    if getattr(statement, "orelse", ()) or any(isinstance(node, _LEAVES) for node in inside):
        return False
    bound = scope_bindings(statement.body, chunk) | ({parameter} if parameter else set())
    header = {statement.target} if isinstance(statement, ast.For) else set()
    used = {node.id for node in walk(function) if isinstance(node, ast.Name) and node not in inside | header}
    return bound.isdisjoint(used) and "_" not in used

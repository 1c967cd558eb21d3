"""What the rules about kernel bodies share: from an event to a finding, and edits at its node."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeVar

from pallas_lsp.findings import Applicability, Edit, Finding, Fix, Range, Related
from pallas_lsp.rules.base import Rule, group_of, range_in, related_launches
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.events import Event, Kind, happenings, ref_of, stands_in
from pallas_lsp.semantics.jax_api import canonical
from pallas_lsp.semantics.pieces import Piece
from pallas_lsp.semantics.values import External, Ref, View
from pallas_lsp.syntax import walk

Fixes = Callable[[], tuple[Fix, ...]]
Verdict = TypeVar("Verdict")


def judged(
    analysis: Analysis, kind: type[Kind], judge: Callable[[Event, Kind], Verdict | None]
) -> Iterator[tuple[Event, Kind, Verdict]]:
    """The events of a kind in the analysed module that are mistakes, one for each node that has a place.

    Args:
      analysis: of the module.
      kind: of the events.
      judge: gives what there is to say of a mistake, None for no mistake. It looks at nothing but the event: each is
        judged once, and not again at every edit elsewhere.
    """
    seen: set[ast.AST] = set()
    for event, what, verdict in analysis.each(judge, partial(_judged_in, kind, judge)):
        own = event.path == analysis.module.path and event.node not in seen
        if own and source_of(analysis, event, event.node) is not None:
            seen.add(event.node)
            yield event, what, verdict


def _judged_in(
    kind: type[Kind], judge: Callable[[Event, Kind], Verdict | None], piece: Piece
) -> Iterator[tuple[Event, Kind, Verdict]]:
    for event, what in happenings(piece, kind):
        verdict = judge(event, what)
        if verdict is not None:
            yield event, what, verdict


def finding(rule: Rule, analysis: Analysis, event: Event, message: str, fixes: Fixes | None = None) -> Finding:
    """The finding on the node of an event."""
    function = enclosing_function(event)
    related: tuple[Related, ...] = ()
    if event.launches and event.functions:
        name = getattr(event.functions[0], "name", "<lambda>")
        related = related_launches(analysis, event.launches[:1], f"`{name}` is given to `{{entry}}` here.")
    return Finding(
        rule.code,
        rule.name,
        message,
        rule.severity,
        range_in(analysis, event.chunk, event.node),
        related,
        group="" if function is None else group_of(analysis, event.chunk, function),
        make_fixes=fixes or tuple,
    )


def enclosing_function(event: Event) -> ast.AST | None:
    """The outermost running function that the node stands in: the kernel, or a helper that it calls."""
    return next((one for one in event.functions if stands_in(event, one)), None)


def source_of(analysis: Analysis, event: Event, node: ast.AST) -> str | None:
    """The text of an expression or statement of an event's chunk; None where its place is not known.

    Before Python 3.12, what stands in an f-string has a wrong place.
    """
    key = ("source", node)
    if key not in event.chunk.memo:
        event.chunk.memo[key] = _source_of(analysis, event, node)
    known = event.chunk.memo[key]
    assert known is None or isinstance(known, str)
    return known


def _source_of(analysis: Analysis, event: Event, node: ast.AST) -> str | None:
    if not hasattr(node, "lineno"):
        return None
    text = analysis.module.parsed.source.slice(range_in(analysis, event.chunk, node))
    if isinstance(node, ast.stmt):
        return text
    wrapped = f"_[{text}\n]" if isinstance(node, ast.Slice) else f"({text}\n)"
    try:
        found: ast.expr = ast.parse(wrapped, mode="eval").body
    except (SyntaxError, ValueError):
        return None
    if isinstance(node, ast.Slice) and isinstance(found, ast.Subscript):
        found = found.slice
    return text if _same(found, node) else None


def _same(found: ast.AST, node: ast.AST) -> bool:
    """Whether two expressions have the same nodes, whatever they are used for."""
    left = [part for part in walk(found) if not isinstance(part, ast.expr_context)]
    right = [part for part in walk(node) if not isinstance(part, ast.expr_context)]
    return [type(part) for part in left] == [type(part) for part in right] and [
        getattr(part, "id", getattr(part, "attr", "")) for part in left
    ] == [getattr(part, "id", getattr(part, "attr", "")) for part in right]


def is_surely_ref(event: Event, value: Ref | View, text: str) -> bool:
    """Whether what may be a tree of Refs is one: by the launch, or by what the program calls it.

    A parameter with a default is meant to be something else, even where a launch gives it a Ref.
    """
    if any(text in _names_with_default(function) for function in event.functions):
        return False
    return ref_of(value).leaf or text.lower().endswith("ref")


def _names_with_default(function: ast.AST) -> list[str]:
    assert isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
    parameters = (*function.args.posonlyargs, *function.args.args)
    return [parameter.arg for parameter in parameters[len(parameters) - len(function.args.defaults) :]]


def inserted(analysis: Analysis, event: Event, node: ast.AST, text: str) -> Edit:
    """The edit that puts text behind a node."""
    end = range_in(analysis, event.chunk, node).end
    return Edit(Range(end, end), text)


def replaced(analysis: Analysis, event: Event, node: ast.AST, text: str) -> Edit:
    """The edit that puts text in the place of a node."""
    return Edit(range_in(analysis, event.chunk, node), text)


def safe_fix(title: str, *edits: Edit) -> Fixes:
    """One fix that is right as it stands."""
    return partial(_one, Fix(title, tuple(sorted(edits, key=lambda edit: edit.range)), Applicability.SAFE))


def unsafe_fix(title: str, reason: str, *edits: Edit) -> Fixes:
    """One fix that needs a look."""
    return partial(_one, Fix(title, tuple(sorted(edits, key=lambda edit: edit.range)), Applicability.UNSAFE, reason))


def _one(fix: Fix) -> tuple[Fix, ...]:
    return (fix,)


def name_for(analysis: Analysis, path: str) -> str:
    """How the module calls a module that it imports, such as `pl`; empty when it does not import it by a name."""
    for imported in analysis.module.imports:
        whole = f"{imported.module}.{imported.name}" if imported.name else imported.module
        if canonical(whole) == path and imported.alias:
            value = analysis.interpreter.module_name(analysis.module, imported.alias)
            if isinstance(value, External) and value.name == path:
                return imported.alias
    return ""

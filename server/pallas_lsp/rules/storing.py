"""The fixes that a finding offers: its plans, safe only where every launch and every other use agrees."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from contextlib import suppress
from pathlib import PurePath

from pallas_lsp.findings import Applicability, Fix
from pallas_lsp.rewrite import Refusal, combine, none_annotation
from pallas_lsp.rewrite.placement import path
from pallas_lsp.rules.base import module_of
from pallas_lsp.rules.places import Impossible, Place, Plan, certain_names, names_given, place_of
from pallas_lsp.rules.plans import NO_OUT_SHAPE, lacks_out_shape, plans_for
from pallas_lsp.rules.uses import uses_of
from pallas_lsp.rules.wrapping import wrapping_fix
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.jax_api import Outcome
from pallas_lsp.semantics.kernels import MAX_FORWARDS, Verdict, Way, leaves, verdict, ways_out
from pallas_lsp.semantics.values import Function
from pallas_lsp.syntax import walk


def fixes_of(analysis: Analysis, ways: list[Way]) -> tuple[Fix, ...]:
    """The fixes of one return, the preferred one first; a single one of applicability NONE says why there is none."""
    ways = sorted(ways, key=lambda way: way.run.given is None)
    place = place_of(analysis, ways[0])
    try:
        plans = list(plans_for(place))
    except Impossible as reason:
        return (Fix("Store the result in the output Ref", (), Applicability.NONE, str(reason)),)
    others = list(_other_plans(analysis, place))
    function = place.way.function
    handed_on = _handed_on(analysis, function, MAX_FORWARDS)
    uses = [uses_of(analysis, one) for one in dict.fromkeys((function, *handed_on.values()))]
    called = [line for use in uses for line in use.calls if line not in handed_on]
    doubts = (*_doubts(place, called), *(other for use in uses for other in use.others))
    fixes = _as_fixes(place, [_agreed(plan, others) for plan in plans], doubts)
    wrapper = wrapping_fix(analysis, ways) if called else None
    return fixes if wrapper is None else (wrapper, *fixes)


def _handed_on(analysis: Analysis, function: Function, depth: int) -> dict[int, Function]:
    """The 0-based lines on which kernels return what a function makes of their Refs, and those kernels."""
    found: dict[int, Function] = {}
    stack = [(run.invocation, depth) for launch in analysis.launches for run in launch.runs]
    while stack:
        invocation, rest = stack.pop()
        outer = invocation.function
        if outer is None or not rest:
            continue
        for returned in invocation.returns:
            inner, node = returned.invoked, returned.node
            call = node.body if isinstance(node, ast.Lambda) else node.value
            if inner is None or inner.function is None or call is None:
                continue
            stack.append((inner, rest - 1))
            if inner.function.node is function.node and outer.frame.path == analysis.module.path:
                line = analysis.module.parsed.line_of(outer.chunk) + call.lineno - 1
                found |= {line: outer, **_handed_on(analysis, outer, rest - 1)}
    return found


def _other_plans(analysis: Analysis, place: Place) -> Iterable[tuple[str, list[Plan]]]:
    """What the same return asks for in each other launch, or run of it; no plans where it cannot be mended there."""
    seen = {_circumstances(place.way)}
    for way in ways_out(analysis)[place.way.node]:
        if _circumstances(way) in seen:
            continue
        seen.add(_circumstances(way))
        launch = way.launch
        module = module_of(analysis, launch)
        where = f"line {module.parsed.range_of(launch.chunk, launch.node).start.line + 1}"
        if module is not analysis.module:
            where += f" of {PurePath(module.path).name}"
        plans: list[Plan] = []
        if verdict(way.returned.value) is Verdict.VALUE and launch.outcome is not Outcome.USES:
            with suppress(Impossible):
                plans = list(plans_for(place_of(analysis, way)))
        yield f"The launch on {where} asks for something else here.", plans


def _circumstances(way: Way) -> object:
    """All that the plans for a way depend on."""
    names = tuple(sorted(certain_names(way).items(), key=lambda item: item[1]))
    stores = frozenset(way.returned.stores.items())
    return way.returned.value, way.run.outputs, way.run.lacks_outputs, way.launch.outcome, names, stores


def _agreed(plan: Plan, others: list[tuple[str, list[Plan]]]) -> Plan:
    """A plan with the doubts that it has in the other launches."""
    doubts = dict.fromkeys(plan.doubts)
    for disagreement, plans in others:
        same = next((other for other in plans if other.rewrite == plan.rewrite), None)
        doubts |= dict.fromkeys((disagreement,) if same is None else same.doubts)
    return Plan(plan.title, plan.rewrite, tuple(doubts))


def _as_fixes(place: Place, plans: list[Plan], doubts: tuple[str, ...]) -> tuple[Fix, ...]:
    annotation = none_annotation(place.source)
    fixes: list[Fix] = []
    refused: list[str] = []
    for plan in plans:
        rewrite = plan.rewrite if isinstance(annotation, Refusal) else combine(plan.rewrite, annotation)
        if isinstance(rewrite, Refusal):
            refused.append(rewrite.reason)
        elif rewrite:
            reasons = (*plan.doubts, *doubts)
            applicability = Applicability.UNSAFE if reasons else Applicability.SAFE
            fixes.append(Fix(plan.title, rewrite, applicability, " ".join(reasons)))
    if fixes:
        return tuple(sorted(fixes, key=lambda fix: fix.applicability is not Applicability.SAFE))
    title = plans[0].title if plans else "Store the result in the output Ref"
    return (Fix(title, (), Applicability.NONE, refused[0] if refused else "No store is known to be right."),)


def _doubts(place: Place, lines: list[int]) -> Iterable[str]:
    """What makes any change of the function doubtful; it is called as a function on these 0-based lines."""
    function = place.way.function
    if lines:
        yield f"`{function.name}` is also called as a function on line {lines[0] + 1}, where its result is used."
    if lacks_out_shape(place.way.launch):
        yield NO_OUT_SHAPE
    arguments = function.node.args
    positional = [parameter.arg for parameter in (*arguments.posonlyargs, *arguments.args)]
    given = {*positional[len(positional) - len(arguments.defaults) :], *names_given(place)}
    for name in sorted(given & {place.names[ref] for ref in leaves(place.outputs) if ref in place.names}):
        yield f"`{name}` has a value of its own, so it may not be meant as an output."
    if arguments.defaults and place.way.run.given is None:
        yield "The call of the launch is not in view: see which of the parameters are given, and are the outputs."
    for name in managed_outputs(place):
        yield f"The `with` block around it is given `{name}`, and could use it when it ends, after the store."


def managed_outputs(place: Place) -> Iterable[str]:
    """The outputs that context managers around the return are given."""
    node = place.way.node
    names = {place.names[ref].partition("[")[0] for ref in leaves(place.outputs) if ref in place.names}
    for step in path(place.source.node, node) if isinstance(node, ast.Return) else ():
        if isinstance(step.parent, (ast.With, ast.AsyncWith)):
            inside = (part for item in step.parent.items for part in walk(item.context_expr))
            yield from sorted({part.id for part in inside if isinstance(part, ast.Name)} & names)

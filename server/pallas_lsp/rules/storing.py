"""Plans the fixes of a returned value: which Ref each part of it goes to, and what must be put around it."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import PurePath

from pallas_lsp.findings import Applicability, Fix
from pallas_lsp.rewrite import (
    FunctionSource,
    Part,
    Refusal,
    Rewrite,
    Target,
    TargetTree,
    add_parameters,
    combine,
    drop,
    fresh_name,
    has_effects,
    lambda_to_def,
    none_annotation,
    read_refs,
    store,
    store_element,
    store_lambda,
    store_parts,
)
from pallas_lsp.rewrite.placement import path
from pallas_lsp.rules.base import module_of
from pallas_lsp.rules.held import is_stored, paired, read_outputs, value_leaves
from pallas_lsp.rules.uses import uses_of
from pallas_lsp.rules.wrapping import wrapping_fix
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.arithmetic import as_array
from pallas_lsp.semantics.classes import fields_of
from pallas_lsp.semantics.jax_api import Outcome, Signature
from pallas_lsp.semantics.kernels import MAX_FORWARDS, Verdict, Way, leaves, reference_names, verdict, ways_out
from pallas_lsp.semantics.values import (
    NONE,
    Array,
    Bound,
    Constant,
    External,
    Function,
    Instance,
    Mapping,
    NamedTuple,
    NotJax,
    OneOf,
    Partial,
    Record,
    Ref,
    Role,
    Scoped,
    Sequence,
    Something,
    Unknown,
    Value,
    View,
    is_leafless,
)
from pallas_lsp.syntax import walk

REF_ATTRIBUTES = ("shape", "dtype", "ndim", "size", "at", "set", "get", "swap", "addupdate")
"""What a Ref answers without being read."""

UNREACHABLE_SPACES = frozenset({"ANY", "HBM", "GMEM", "HOST"})
"""Memory that a kernel on the device cannot store to directly (mosaic/lowering.py:2267)."""


@dataclass(frozen=True, slots=True)
class Plan:
    """One way to mend a return.

    Args:
      title: of the action.
      rewrite: what it changes.
      doubts: what makes it unsafe; empty for a safe fix.
    """

    title: str
    rewrite: Rewrite
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """A returned value, and all that is known of where it may go.

    Args:
      way: the return under its first launch.
      source: its function.
      value: what it returns.
      outputs: the output parameters.
      names: Python text for the Refs.
      numpy: how the module calls `jax.numpy`, empty when it does not import it.
      reads_inputs: whether the same fix reads each input, wherever it is used, with `[...]`.
    """

    way: Way
    source: FunctionSource
    value: Value
    outputs: tuple[Value, ...]
    names: dict[Ref, str]
    numpy: str
    reads_inputs: bool = False

    @property
    def expression(self) -> ast.expr:
        """What is returned."""
        node = self.way.node
        expression = node.body if isinstance(node, ast.Lambda) else node.value
        assert expression is not None
        return expression


class Impossible(Exception):
    """No store is right; the message says why."""


def fixes_of(analysis: Analysis, ways: list[Way]) -> tuple[Fix, ...]:
    """The fixes of one return, the preferred one first; a single one of applicability NONE says why there is none."""
    ways = sorted(ways, key=lambda way: way.run.given is None)
    place = _place(analysis, ways[0])
    try:
        plans = list(_plans(place))
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


def _place(analysis: Analysis, way: Way) -> Place:
    module = analysis.module
    function = way.function
    source = FunctionSource(module.parsed.source, module.parsed.line_of(function.chunk), function.node)
    outputs = way.run.outputs or ()
    return Place(way, source, way.returned.value, outputs, _certain_names(way), _numpy_name(analysis, way))


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


def _certain_names(way: Way) -> dict[Ref, str]:
    """The names of Refs, without those that may mean something else on another path to the return."""
    local = way.returned.names
    return {ref: text for ref, text in reference_names(way).items() if not isinstance(local.get(text), OneOf)}


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
                plans = list(_plans(_place(analysis, way)))
        yield f"The launch on {where} asks for something else here.", plans


def _circumstances(way: Way) -> object:
    """All that the plans for a way depend on."""
    names = tuple(sorted(_certain_names(way).items(), key=lambda item: item[1]))
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
    arguments = function.node.args
    positional = [parameter.arg for parameter in (*arguments.posonlyargs, *arguments.args)]
    given = {*positional[len(positional) - len(arguments.defaults) :], *_names_given(place)}
    for name in sorted(given & {place.names[ref] for ref in leaves(place.outputs) if ref in place.names}):
        yield f"`{name}` has a value of its own, so it may not be meant as an output."
    if arguments.defaults and place.way.run.given is None:
        yield "The call of the launch is not in view: see which of the parameters are given, and are the outputs."
    for name in _managed_outputs(place):
        yield f"The `with` block around it is given `{name}`, and could use it when it ends, after the store."


def _names_given(place: Place) -> frozenset[str]:
    """The parameters that the launch's kernel, a partial, binds by keyword."""
    stack = list(place.way.launch.kernels)
    found: set[str] = set()
    while stack:
        kernel = stack.pop()
        if isinstance(kernel, (Partial, Scoped)):
            found.update(name for name, _ in kernel.keywords)
        if isinstance(kernel, (Partial, Scoped, Bound)):
            stack.append(kernel.function)
    return frozenset(found)


def _managed_outputs(place: Place) -> Iterable[str]:
    """The outputs that context managers around the return are given."""
    node = place.way.node
    names = {place.names[ref].partition("[")[0] for ref in leaves(place.outputs) if ref in place.names}
    for step in path(place.source.node, node) if isinstance(node, ast.Return) else ():
        if isinstance(step.parent, (ast.With, ast.AsyncWith)):
            inside = (part for item in step.parent.items for part in walk(item.context_expr))
            yield from sorted({part.id for part in inside if isinstance(part, ast.Name)} & names)


def _plans(place: Place) -> Iterable[Plan]:
    """The plans for one return, best first."""
    if is_leafless(place.value):
        yield _drop_plan(place, "it holds nothing to store")
        return
    held = read_outputs(place.value, place.expression, place.outputs)
    if held is not None:
        yield from _plans_of_outputs(place, held)
        return
    if place.way.run.outputs is None:
        yield from _plans_by_guess(place)
        return
    if not place.outputs:
        raise Impossible(_no_outputs(place))
    if place.way.run.lacks_outputs:
        yield _parameter_plan(place)
        return
    stored = [ref for ref in leaves(place.outputs) if ref in place.way.returned.stores]
    if stored:
        yield from _plans_after_stores(place, stored)
        return
    yield from _store_plans(place, place.outputs)


def _no_outputs(place: Place) -> str:
    launch = place.way.launch
    entry = launch.row.short_name
    if entry == "core_map":
        return "A `core_map` body has no output: store into a Ref that it closes over."
    return f"The launch gives `{entry}` no outputs."


def _plans_by_guess(place: Place) -> Iterable[Plan]:
    """The launch does not say how many outputs there are: the last Ref is taken, and said to be a guess."""
    launch = place.way.launch
    if launch.complete and "outputs" not in launch.named and launch.row.signature is Signature.PALLAS_CALL:
        raise Impossible("The launch has no `out_shape`: say there what the outputs are.")
    refs = [ref for ref in leaves(place.way.run.invocation.arguments.values()) if ref.role is Role.UNKNOWN]
    named = [ref for ref in refs if ref in place.names]
    if not named:
        raise Impossible("The outputs of the launch are not in view.")
    for plan in _store_plans(place, (named[-1],)):
        yield Plan(plan.title, plan.rewrite, (*plan.doubts, "The outputs of the launch are not in view."))


# -- nothing to store ------------------------------------------------------------------------------------------------


def _drop_plan(place: Place, because: str, doubts: tuple[str, ...] = ()) -> Plan:
    node = place.way.node
    if isinstance(node, ast.Lambda):
        raise Impossible("A lambda returns its expression whatever it is: write a `def` that stores instead.")
    keeps = has_effects(place.expression)
    what = "Do not return the value" if keeps else "Remove this `return`"
    return Plan(f"{what}: {because}", drop(place.source, node, keep_value=keeps), doubts)


def _plans_of_outputs(place: Place, held: list[Ref]) -> Iterable[Plan]:
    """The value is made of what the outputs hold at this moment."""
    refs = list(leaves(place.outputs))
    if held == refs:
        complete = all(ref in place.way.returned.stores for ref in refs)
        doubt = () if complete else ("No output is stored before this return.",)
        yield _drop_plan(place, "the outputs already hold it", doubt)
    elif len(held) < len(refs):
        doubt = (f"It returns only {_quoted(place, held)} of the outputs.",)
        yield _drop_plan(place, "the outputs already hold it", doubt)
    else:
        for plan in _store_plans(place, place.outputs):
            yield Plan(plan.title, plan.rewrite, (*plan.doubts, "It gives outputs what others hold."))


def _plans_after_stores(place: Place, stored: list[Ref]) -> Iterable[Plan]:
    """Outputs have been stored before: the value is one of them, cannot be one, or is in doubt."""
    stores = place.way.returned.stores
    refs = list(leaves(place.outputs))
    values = list(value_leaves(place.value))
    pairs = paired(place.value, place.expression, place.outputs)
    if pairs is not None and all(_is_stored(place, *pair) for pair in pairs):
        yield _drop_plan(place, "it is already stored")
        return
    missing = [ref for ref in refs if ref not in stores]
    if (
        missing
        and len(missing) == len(values)
        and not any(_cannot_be(value, ref) for value, ref in zip(values, missing, strict=True))
    ):
        doubt = f"Other outputs are stored before; this takes the value for {_quoted(place, missing)}."
        for plan in _store_plans(place, tuple(missing)):
            yield Plan(plan.title, plan.rewrite, (*plan.doubts, doubt))
        return
    name = place.names.get(stored[0], "the output")
    where = _place_of_store(place, stores[stored[0]].node)
    if pairs is None or any(_cannot_be(value, ref) for value, _, ref in pairs):
        doubts = []
        if missing or not all(stores[ref].certain for ref in refs):
            doubts.append(f"`{name}` is stored{where}, but perhaps not all of it.")
        if not all(_is_status(value) or any(_is_stored(place, value, None, ref) for ref in refs) for value in values):
            doubts.append("The returned value is lost.")
        yield _drop_plan(place, f"it does not fit `{name}`, which is already stored", tuple(doubts))
        return
    if isinstance(place.way.node, ast.Lambda):
        raise Impossible(f"`{name}` is already stored; it is not known which value is meant.")
    if not all(stores[ref].certain for ref in stored):
        # An initial value, or a part: the returned value is most likely the result.
        doubt = f"`{name}` is also stored{where}: the returned value takes the place of that."
        for plan in _store_plans(place, place.outputs):
            yield Plan(plan.title, plan.rewrite, (*plan.doubts, doubt))
    yield _drop_plan(
        place,
        f"`{name}` is already stored",
        (f"`{name}` is stored{where} already; the returned value is another one and is lost.",),
    )


def _place_of_store(place: Place, node: ast.AST) -> str:
    """The line of a store, as the end of a phrase; empty when it is in another function."""
    if not any(part is node for part in walk(place.source.node)):
        return ""
    return f" on line {place.source.first_line + getattr(node, 'lineno', 0)}"


def _is_stored(place: Place, value: Value, expression: ast.expr | None, ref: Ref) -> bool:
    return ref in place.names and is_stored(place.way, value, expression, ref, place.names[ref])


def _is_status(value: Value) -> bool:
    """Whether a value is no array: a number, a flag, an object."""
    return isinstance(value, (Constant, NotJax, Instance))


def _cannot_be(value: Value, ref: Ref) -> bool:
    """Whether a value certainly does not fit a Ref: a status, or an array of another shape."""
    if _is_status(value):
        return True
    array = None if isinstance(value, (Ref, View)) else as_array(value)
    return array is not None and not _broadcasts(array, ref)


# -- stores ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Aim:
    """Where a value goes, with what makes that doubtful; `parts` instead of targets when it must be taken apart."""

    targets: TargetTree
    doubts: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()


def _store_plans(place: Place, outputs: tuple[Value, ...]) -> Iterable[Plan]:
    """The store of the whole value, then the same with casts."""
    first = _aim(place, place.value, place.expression, outputs, cast=False)
    yield _store_plan(place, outputs, first, "")
    cast = _aim(place, place.value, place.expression, outputs, cast=True)
    if not first.parts and cast.targets != first.targets:
        yield _store_plan(
            place, outputs, Aim(cast.targets, (*first.doubts, "The cast may lose precision.")), ", cast to its dtype"
        )
    if isinstance(place.way.node, ast.Lambda):
        yield from _definition_plans(place, outputs, first)


def _store_plan(place: Place, outputs: tuple[Value, ...], aim: Aim, suffix: str) -> Plan:
    title = f"Store the result in {_quoted(place, leaves(outputs))}{suffix}"
    doubts = (*aim.doubts, *_space_doubts(place, outputs))
    node, targets = place.way.node, aim.targets
    if isinstance(node, ast.Lambda):
        if aim.parts or not isinstance(targets, Target):
            return Plan(title, Refusal("A lambda can store one value only: write a `def` instead."), doubts)
        reference = targets.text.removesuffix("[...]")
        rewrite = store_lambda(place.source, reference, before=targets.before, after=targets.after)
        return Plan(title, rewrite, doubts)
    if aim.parts:
        return Plan(title, store_parts(place.source, node, aim.parts), doubts)
    if isinstance(targets, tuple) and len(targets) == 1 and isinstance(place.expression, (ast.Tuple, ast.List)):
        return Plan(title, store_element(place.source, node, targets[0]), doubts)
    return Plan(title, store(place.source, node, targets), doubts)


def _definition_plans(place: Place, outputs: tuple[Value, ...], aim: Aim) -> Iterable[Plan]:
    """The lambda as a `def` before the statement that it stands in."""
    found = _statement_of(place.way)
    if found is None:
        return
    statement, scope = found
    title = f"Make the lambda a `def` that stores in {_quoted(place, leaves(outputs))}"
    yield Plan(title, lambda_to_def(place.source, statement, scope, aim.targets), aim.doubts)


def _statement_of(
    way: Way,
) -> tuple[ast.stmt, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef] | None:
    """The innermost statement that a lambda stands in, and the scope of that statement."""
    scope: ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    scope = ast.Module(body=list(way.function.chunk.statements), type_ignores=[])
    found: ast.stmt | None = None
    for top in way.function.chunk.statements:
        if any(node is way.node for node in walk(top)):
            found = top
    while found is not None:
        inner = next(
            (
                child
                for child in walk(found)
                if child is not found and isinstance(child, ast.stmt) and any(node is way.node for node in walk(child))
            ),
            None,
        )
        if inner is None:
            return found, scope
        if isinstance(found, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            scope = found
        found = inner
    return None


def _aim(place: Place, value: Value, expression: ast.expr | None, outputs: tuple[Value, ...], *, cast: bool) -> Aim:
    """Matches a value with the output parameters."""
    match value:
        case Sequence(items=items) | NamedTuple(items=items) if not (
            len(outputs) == 1 and isinstance(outputs[0], Mapping)
        ):
            if len(items) != len(outputs):
                raise Impossible(_miscount(len(items), outputs))
            return _aim_each(place, items, expression, outputs, cast=cast)
        case Mapping() if len(outputs) > 1:
            raise Impossible(f"It returns a dict, but there are {len(outputs)} outputs.")
    if len(outputs) == 1:
        return _aim_one(place, value, expression, outputs[0], cast=cast)
    if isinstance(value, (Something, Unknown, OneOf)):
        parts = [_aim_one(place, Unknown(), None, output, cast=False) for output in outputs]
        doubt = f"It is not known that the value has {len(outputs)} elements."
        return Aim(tuple(part.targets for part in parts), (doubt,))
    raise Impossible(_miscount(1, outputs))


def _miscount(values: int, outputs: tuple[Value, ...]) -> str:
    returned = "one value" if values == 1 else f"{values} values"
    there = "is one output" if len(outputs) == 1 else f"are {len(outputs)} outputs"
    return f"It returns {returned}, but there {there}."


def _aim_each(
    place: Place, items: tuple[Value, ...], expression: ast.expr | None, outputs: tuple[Value, ...], *, cast: bool
) -> Aim:
    written = expression.elts if isinstance(expression, (ast.Tuple, ast.List)) else [None] * len(items)
    if len(written) != len(items):
        written = [None] * len(items)
    parts = [
        _aim_one(place, item, node, output, cast=cast)
        for item, node, output in zip(items, written, outputs, strict=True)
    ]
    return Aim(tuple(part.targets for part in parts), tuple(doubt for part in parts for doubt in part.doubts))


def _aim_one(place: Place, value: Value, expression: ast.expr | None, output: Value, *, cast: bool) -> Aim:
    """Matches one value with one output parameter, which may be a tree of Refs."""
    match output:
        case Ref():
            return _aim_at_ref(place, value, expression, output, cast=cast)
        case Sequence(items=inner) | NamedTuple(items=inner):
            match value:
                case Sequence(items=items) | NamedTuple(items=items) if len(items) == len(inner):
                    return _aim_each(place, items, expression, inner, cast=cast)
                case Something() | Unknown():
                    return _aim(place, value, expression, inner, cast=cast)
            raise Impossible("The value has not the structure of the outputs.")
        case Mapping(items=pairs):
            return _aim_at_mapping(place, value, expression, pairs, cast=cast)
        case Record(items=fields):
            return _aim_at_record(place, value, expression, fields)
        case _ if output == NONE:
            raise Impossible("One of the outputs is None: nothing can be stored there.")
    raise Impossible("The structure of the outputs is not known.")


def _aim_at_record(
    place: Place, value: Value, expression: ast.expr | None, fields: tuple[tuple[str, Value], ...]
) -> Aim:
    items = fields_of(value) if isinstance(value, Instance) else None
    if (
        items is None
        or expression is not place.expression
        or [name for name, _ in items] != [name for name, _ in fields]
    ):
        raise Impossible("The output is an object of Refs: store into each of its fields.")
    rows = [(output, item, f".{name}") for (name, output), (_, item) in zip(fields, items, strict=True)]
    return _aim_parts(place, rows)


def _aim_at_mapping(
    place: Place, value: Value, expression: ast.expr | None, pairs: tuple[tuple[object, Value], ...], *, cast: bool
) -> Aim:
    if not isinstance(value, Mapping) or {key for key, _ in value.items} != {key for key, _ in pairs}:
        raise Impossible("The output is a dict of Refs: store into each of them by its key.")
    outputs = dict(pairs)
    written = _written_items(expression)
    if expression is place.expression and not written.keys() >= outputs.keys():
        return _aim_parts(place, [(outputs[key], item, f"[{_key(key)}]") for key, item in value.items])
    parts = {key: _aim_one(place, item, written.get(key), outputs[key], cast=cast) for key, item in value.items}
    targets = {key: part.targets for key, part in parts.items()}
    return Aim(targets, tuple(doubt for part in parts.values() for doubt in part.doubts))


def _aim_parts(place: Place, rows: list[tuple[Value, Value, str]]) -> Aim:
    """Takes a container apart that is not written out: each of its items goes to a Ref of its own."""
    parts: list[Part] = []
    doubts: list[str] = []
    for output, item, selector in rows:
        if not isinstance(output, Ref):
            raise Impossible("The outputs are nested: store each value into its Ref by hand.")
        aim = _aim_at_ref(place, item, None, output, cast=False)
        target = aim.targets
        assert isinstance(target, Target)
        if target.before:
            raise Impossible("The parts of the value do not fit the outputs as they are: store them one by one.")
        parts.append(Part(target.text, selector + target.after))
        doubts += aim.doubts
    return Aim((), tuple(doubts), tuple(parts))


def _key(key: object) -> str:
    return f'"{key}"' if isinstance(key, str) and key.isidentifier() else repr(key)


def _written_items(expression: ast.expr | None) -> dict[object, ast.expr]:
    """The values of a dict that is written out, as a display or as `dict(key=...)`."""
    match expression:
        case ast.Dict(keys=keys, values=values):
            return {key.value: node for key, node in zip(keys, values, strict=True) if isinstance(key, ast.Constant)}
        case ast.Call(keywords=keywords):
            return {keyword.arg: keyword.value for keyword in keywords if keyword.arg is not None}
        case _:
            return {}


def _aim_at_ref(place: Place, value: Value, expression: ast.expr | None, ref: Ref, *, cast: bool) -> Aim:
    name = place.names.get(ref)
    if name is None:
        raise Impossible("The output Ref has no name here.")
    target = f"{name}[...]"
    match value:
        case Sequence() | Mapping() | NamedTuple():
            raise Impossible(f"`{name}` holds one array, not a {_container(value)}.")
        case Instance():
            raise Impossible(f"`{name}` holds one array, not a `{value.cls.node.name}`.")
        case NotJax(type_name=type_name):
            raise Impossible(f"A value of type `{type_name}` cannot be stored.")
        case Ref(role=Role.INPUT | Role.PREFETCH) if place.reads_inputs:
            return Aim(Target(target, *_cast(name, cast)))
        case Ref() | View():
            return Aim(Target(target, after=_read(name, cast)))
        case Constant(value=bool() | int() | float() | complex()) if ref.shape != ():
            return _full(place, target, name)
        case Array(host=True):
            raise Impossible("A NumPy array inside a kernel is a captured constant: pass it as an input.")
        case OneOf(alternatives=values) if all(isinstance(one, (Ref, View)) for one in values):
            return Aim(Target(target, after=_read(name, cast)))
        case OneOf(alternatives=values):
            if any(isinstance(one, (Ref, View)) for one in values):
                raise Impossible("It may be a Ref or something else: read the Ref with `[...]` first.")
            return Aim(Target(target, *_cast(name, cast)), ("The value may have more than one structure.",))
    array = as_array(value)
    if array is None:
        return Aim(Target(target, *_cast(name, cast)))
    return _fit(place, target, name, array, ref, cast=cast)


def _container(value: Value) -> str:
    if isinstance(value, Mapping):
        return "dict"
    return "list" if isinstance(value, Sequence) and value.is_list else "tuple"


def _read(name: str, cast: bool) -> str:
    return f"[...].astype({name}.dtype)" if cast else "[...]"


def _cast(name: str, cast: bool) -> tuple[str, str]:
    return ("", f".astype({name}.dtype)") if cast else ("", "")


def _full(place: Place, target: str, name: str) -> Aim:
    if not place.numpy:
        raise Impossible("A number must be spread over the block with `jax.numpy.full`, which is not imported here.")
    around = (f"{place.numpy}.full({name}.shape, ", f", {name}.dtype)")
    return Aim(Target(target, *around), (f"The number fills the whole of `{name}`.",))


def _fit(place: Place, target: str, name: str, array: Array, ref: Ref, *, cast: bool) -> Aim:
    """Puts around an array what makes its shape and dtype those of the Ref, where they are known to differ."""
    doubts: list[str] = []
    before, after = "", ""
    if array.shape is not None and ref.shape is not None and _shapes_differ(array, ref):
        if not _broadcasts(array, ref):
            raise Impossible(f"The value has shape {_shape(array)}, `{name}` has shape {_shape_of(ref)}.")
        if not place.numpy:
            raise Impossible(
                f"The value has shape {_shape(array)}, `{name}` has shape {_shape_of(ref)},"
                " and `jax.numpy` is not imported here to broadcast it."
            )
        before, after = f"{place.numpy}.broadcast_to(", f", {name}.shape)"
        if any(size != 1 for size in ref.shape):
            doubts.append(f"The value of shape {_shape(array)} is broadcast to that of `{name}`.")
    differs = bool(array.dtype and ref.dtype) and array.dtype != ref.dtype and not _converts(array, ref)
    if cast or differs:
        after += f".astype({name}.dtype)"
    if differs:
        doubts.append(f"The value is {array.dtype} and `{name}` is {ref.dtype}: the cast may lose precision.")
    return Aim(Target(target, before, after), tuple(doubts))


def _shapes_differ(array: Array, ref: Ref) -> bool:
    assert array.shape is not None and ref.shape is not None
    if len(array.shape) != len(ref.shape):
        return True
    return any(
        one is not None and other is not None and one != other
        for one, other in zip(array.shape, ref.shape, strict=True)
    )


def _broadcasts(array: Array, ref: Ref) -> bool:
    """Whether an array may be broadcast to the shape of a Ref, as far as both are known."""
    if array.shape is None or ref.shape is None:
        return True
    if len(array.shape) > len(ref.shape):
        return False
    pairs = zip(reversed(array.shape), reversed(ref.shape), strict=False)
    return all(one in (1, None, other) or other is None for one, other in pairs)


def _converts(array: Array, ref: Ref) -> bool:
    """Whether JAX stores one dtype into the other by itself: integers into integers, Python numbers into floats."""
    if "int" in array.dtype and "int" in ref.dtype:
        return True
    return array.weak and "float" in array.dtype and "float" in ref.dtype


def _shape(array: Array) -> str:
    return _written(array.shape or ())


def _shape_of(ref: Ref) -> str:
    return _written(ref.shape or ())


def _written(shape: tuple[int | None, ...]) -> str:
    sizes = ["?" if size is None else str(size) for size in shape]
    return f"({sizes[0]},)" if len(sizes) == 1 else f"({', '.join(sizes)})"


def _space_doubts(place: Place, outputs: tuple[Value, ...]) -> tuple[str, ...]:
    return tuple(
        f"`{place.names.get(ref, 'The output')}` is in {ref.memory_space} memory: a device can only copy there."
        for ref in leaves(outputs)
        if ref.memory_space in UNREACHABLE_SPACES
    )


def _quoted(place: Place, refs: Iterable[Ref]) -> str:
    names = [f"`{place.names[ref]}`" for ref in refs if ref in place.names]
    if not names:
        return "the output Ref"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


# -- a function without output parameters ----------------------------------------------------------------------------


def _parameter_plan(place: Place) -> Plan:
    """Adds the output parameters to a function that was written to return its results, and stores into them."""
    arguments = place.source.node.args
    positional = [parameter.arg for parameter in (*arguments.posonlyargs, *arguments.args)]
    required = len(positional) - len(arguments.defaults)
    refs = [output for output in place.outputs if isinstance(output, Ref)]
    if len(refs) != len(place.outputs):
        raise Impossible("The outputs are nested: write the output parameters by hand.")
    suffix = "_ref" if any(name.endswith("_ref") for name in positional) or not positional else ""
    base = "o" + suffix if suffix else "out"
    wanted = [base] if len(refs) == 1 else [f"o{number}{suffix}" for number in range(1, len(refs) + 1)]
    names = [_unused(place, name) for name in wanted]
    bound = _names_given(place)
    required = next((index for index, name in enumerate(positional[:required]) if name in bound), required)
    index = required - len(place.way.run.scratch or ())
    if index < 0:
        raise Impossible("The function has fewer parameters than the launch passes.")
    named = replace(place, names={**place.names, **dict(zip(refs, names, strict=True))}, reads_inputs=True)
    inputs = [
        name
        for name, value in place.way.run.invocation.arguments.items()
        if isinstance(value, Ref) and value.role in (Role.INPUT, Role.PREFETCH)
    ]
    parameters = add_parameters(place.source, names, index)
    plans = list(_store_plans(named, place.outputs))
    reads = read_refs(place.source, inputs, attributes=REF_ATTRIBUTES)
    title = (
        f"Add the output {'parameter' if len(names) == 1 else 'parameters'} {_quoted(named, refs)} and store the result"
    )
    return Plan(title, combine(parameters, plans[0].rewrite, reads), plans[0].doubts)


def _unused(place: Place, name: str) -> str:
    words = {node.id for node in ast.walk(place.source.node) if isinstance(node, ast.Name)}
    words |= {node.arg for node in ast.walk(place.source.node) if isinstance(node, ast.arg)}
    return name if name not in words else fresh_name(place.source.source, name)


# -- names -----------------------------------------------------------------------------------------------------------


def _numpy_name(analysis: Analysis, way: Way) -> str:
    """How `jax.numpy` is called at a return: `jnp`, or `jax.numpy` where there is `jax`; empty when it is neither."""
    module = analysis.module
    for imported in module.imports:
        path = f"{imported.module}.{imported.name}" if imported.name else imported.module
        if path == "jax.numpy" and imported.alias and _means(analysis, way, imported.alias, "jax.numpy"):
            return imported.alias
    return "jax.numpy" if _means(analysis, way, "jax", "jax") else ""


def _means(analysis: Analysis, way: Way, name: str, path: str) -> bool:
    value = way.returned.names.get(name)
    if value is None:
        value = analysis.interpreter.module_name(analysis.module, name)
    return isinstance(value, External) and value.name == path

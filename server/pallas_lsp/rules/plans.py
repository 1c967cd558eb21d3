"""The plans for one return, best first: store the value, drop it, or add the outputs that the function lacks."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import replace

from pallas_lsp.rewrite import (
    Refusal,
    Target,
    add_parameters,
    combine,
    drop,
    fresh_name,
    has_effects,
    lambda_to_def,
    read_refs,
    store,
    store_element,
    store_lambda,
    store_parts,
)
from pallas_lsp.rules.aims import Aim, aim_at, aim_at_elements, broadcasts, miscount
from pallas_lsp.rules.held import is_stored, paired, read_outputs, value_leaves
from pallas_lsp.rules.places import Impossible, Place, Plan, names_given, quoted
from pallas_lsp.semantics.arithmetic import as_array
from pallas_lsp.semantics.jax_api import Signature
from pallas_lsp.semantics.kernels import leaves
from pallas_lsp.semantics.launches import Launch
from pallas_lsp.semantics.values import (
    Constant,
    Function,
    Instance,
    Mapping,
    NamedTuple,
    NotJax,
    OneOf,
    Ref,
    Role,
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


def plans_for(place: Place) -> Iterable[Plan]:
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
        yield _parameter_plan(place, _flat(place.outputs))
        return
    stored = [ref for ref in leaves(place.outputs) if ref in place.way.returned.stores]
    if stored:
        yield from _plans_after_stores(place, stored)
        return
    lacking = _lacking(place)
    if lacking:
        doubt = f"The launch passes {place.way.run.expected} Refs, and there are {place.way.run.slots} parameters."
        plan = _parameter_plan(place, lacking)
        yield Plan(plan.title, plan.rewrite, (*plan.doubts, doubt))
        return
    yield from _plans_of_some(place) or _store_plans(place, place.outputs)


def _lacking(place: Place) -> list[Ref]:
    """The last outputs, when the function has no parameters for just these."""
    run = place.way.run
    if run.slots is None or run.expected is None or run.scratch != () or run.function is not place.way.function:
        return []
    number = run.expected - run.slots
    refs = list(leaves(place.outputs))
    if not 0 < number < len(refs) or len(refs) != len(place.outputs):
        return []
    named = [ref in place.names for ref in refs]
    return refs[-number:] if named == [True] * (len(refs) - number) + [False] * number else []


def _plans_of_some(place: Place) -> list[Plan]:
    """Where a value has more or fewer elements than there are outputs: the first ones are stored in the first ones."""
    outputs, value = place.outputs, place.value
    refs = tuple(output for output in outputs if isinstance(output, Ref) and output in place.names)
    items = value.items if isinstance(value, (Sequence, NamedTuple)) else None
    number = 1 if items is None else len(items)
    whole = isinstance(value, (Mapping, Something, Unknown, OneOf)) or isinstance(place.way.node, ast.Lambda)
    if whole or len(refs) != len(outputs) or number in (0, len(outputs)):
        return []
    doubt = miscount(place, number, outputs)
    if items is None or number < len(outputs):
        left = f"Nothing is stored in {quoted(place, refs[number:])}."
        plans = _store_plans(place, outputs[:number])
        return [Plan(plan.title, plan.rewrite, (*plan.doubts, doubt, left)) for plan in plans]
    plan = _store_plan(place, outputs, aim_at_elements(place, items, refs), "")
    first = "the first value" if len(refs) == 1 else f"the first {len(refs)} values"
    title = f"Store {first} in {quoted(place, refs)}"
    return [Plan(title, plan.rewrite, (*plan.doubts, doubt, "What is not stored is lost."))]


def _no_outputs(place: Place) -> str:
    launch = place.way.launch
    entry = launch.row.short_name
    if entry == "core_map":
        return "A `core_map` body has no output: store into a Ref that it closes over."
    return f"The launch gives `{entry}` no outputs."


NO_OUT_SHAPE = "The launch has no `out_shape`: say there what the outputs are."


def lacks_out_shape(launch: Launch) -> bool:
    """Whether a launch does not say what the outputs are; JAX stops before it comes to the kernel."""
    return launch.complete and "outputs" not in launch.named and launch.row.signature is Signature.PALLAS_CALL


def _plans_by_guess(place: Place) -> Iterable[Plan]:
    """The launch does not say how many outputs there are: the last Ref is taken, and said to be a guess."""
    if lacks_out_shape(place.way.launch):
        raise Impossible(NO_OUT_SHAPE)
    refs = [ref for ref in leaves(place.way.run.invocation.arguments.values()) if ref.role is Role.UNKNOWN]
    named = [ref for ref in refs if ref in place.names]
    if not named:
        raise Impossible("The outputs of the launch are not in view.")
    for plan in _store_plans(place, (named[-1],)):
        yield Plan(plan.title, plan.rewrite, (*plan.doubts, "The outputs of the launch are not in view."))


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
        doubt = (f"It returns only {quoted(place, held)} of the outputs.",)
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
        doubt = f"Other outputs are stored before; this takes the value for {quoted(place, missing)}."
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
    return array is not None and not broadcasts(array, ref)


def _store_plans(place: Place, outputs: tuple[Value, ...]) -> Iterable[Plan]:
    """The store of the whole value, then the same with casts."""
    first = aim_at(place, place.value, place.expression, outputs, cast=False)
    yield _store_plan(place, outputs, first, "")
    cast = aim_at(place, place.value, place.expression, outputs, cast=True)
    if not first.parts and cast.targets != first.targets:
        suffix = ", cast to its dtype" if isinstance(cast.targets, Target) else ", each cast to its dtype"
        yield _store_plan(place, outputs, Aim(cast.targets, (*first.doubts, "The cast may lose precision.")), suffix)
    if isinstance(place.way.node, ast.Lambda):
        yield from _definition_plans(place, outputs, first)


def _store_plan(place: Place, outputs: tuple[Value, ...], aim: Aim, suffix: str) -> Plan:
    title = f"Store the result in {quoted(place, leaves(outputs))}{suffix}"
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
    found = statement_of(place.way.function)
    if found is None:
        return
    statement, scope = found
    title = f"Make the lambda a `def` that stores in {quoted(place, leaves(outputs))}"
    yield Plan(title, lambda_to_def(place.source, statement, scope, aim.targets), aim.doubts)


def statement_of(
    function: Function,
) -> tuple[ast.stmt, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef] | None:
    """The innermost statement that a lambda stands in, and the scope of that statement."""
    scope: ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    scope = ast.Module(body=list(function.chunk.statements), type_ignores=[])
    found: ast.stmt | None = None
    for top in function.chunk.statements:
        if any(node is function.node for node in walk(top)):
            found = top
    while found is not None:
        inner = next(
            (
                child
                for child in walk(found)
                if child is not found
                and isinstance(child, ast.stmt)
                and any(node is function.node for node in walk(child))
            ),
            None,
        )
        if inner is None:
            return found, scope
        if isinstance(found, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            scope = found
        found = inner
    return None


def _space_doubts(place: Place, outputs: tuple[Value, ...]) -> tuple[str, ...]:
    return tuple(
        f"`{place.names.get(ref, 'The output')}` is in {ref.memory_space} memory: a device can only copy there."
        for ref in leaves(outputs)
        if ref.memory_space in UNREACHABLE_SPACES
    )


def _flat(outputs: tuple[Value, ...]) -> list[Ref]:
    """The outputs as the Refs that they are."""
    refs = [output for output in outputs if isinstance(output, Ref)]
    if len(refs) != len(outputs):
        raise Impossible("The outputs are nested: write the output parameters by hand.")
    return refs


def _parameter_plan(place: Place, refs: list[Ref]) -> Plan:
    """Adds the parameters for outputs that the function lacks, and stores the results.

    A function without any was written to return its results: what it is given is then read wherever it is used.
    """
    arguments = place.source.node.args
    positional = [parameter.arg for parameter in (*arguments.posonlyargs, *arguments.args)]
    required = len(positional) - len(arguments.defaults)
    suffix = "_ref" if any(name.endswith("_ref") for name in positional) or not positional else ""
    base = "o" + suffix if suffix else "out"
    wanted = [base] if len(refs) == 1 else [f"o{number}{suffix}" for number in range(1, len(refs) + 1)]
    names = [_unused(place, name) for name in wanted]
    bound = names_given(place)
    required = next((index for index, name in enumerate(positional[:required]) if name in bound), required)
    index = required - len(place.way.run.scratch or ())
    if index < 0:
        raise Impossible("The function has fewer parameters than the launch passes.")
    is_plain = place.way.run.lacks_outputs
    named = replace(place, names={**place.names, **dict(zip(refs, names, strict=True))}, reads_inputs=is_plain)
    inputs = [
        name
        for name, value in place.way.run.invocation.arguments.items()
        if is_plain and isinstance(value, Ref) and value.role in (Role.INPUT, Role.PREFETCH)
    ]
    parameters = add_parameters(place.source, names, index)
    plans = list(_store_plans(named, place.outputs))
    reads = read_refs(place.source, inputs, attributes=REF_ATTRIBUTES)
    title = (
        f"Add the output {'parameter' if len(names) == 1 else 'parameters'} {quoted(named, refs)} and store the result"
    )
    return Plan(title, combine(parameters, plans[0].rewrite, reads), plans[0].doubts)


def _unused(place: Place, name: str) -> str:
    words = {node.id for node in ast.walk(place.source.node) if isinstance(node, ast.Name)}
    words |= {node.arg for node in ast.walk(place.source.node) if isinstance(node, ast.arg)}
    return name if name not in words else fresh_name(place.source.source, name)

"""Matches a returned value with the outputs: which Ref each part goes to, and what must be put around it."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from pallas_lsp.rewrite import Part, Target, TargetTree
from pallas_lsp.rules.held import elements
from pallas_lsp.rules.places import Impossible, Place, quoted
from pallas_lsp.semantics.arithmetic import as_array
from pallas_lsp.semantics.classes import fields_of
from pallas_lsp.semantics.jax_api import Version
from pallas_lsp.semantics.values import (
    NONE,
    Array,
    Constant,
    Instance,
    Mapping,
    NamedTuple,
    OneOf,
    Record,
    Ref,
    Role,
    Sequence,
    Something,
    Unknown,
    Value,
    View,
    foreign_type,
)


@dataclass(frozen=True, slots=True)
class Aim:
    """Where a value goes, with what makes that doubtful; `parts` instead of targets when it must be taken apart."""

    targets: TargetTree
    doubts: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()


def aim_at(place: Place, value: Value, expression: ast.expr | None, outputs: tuple[Value, ...], *, cast: bool) -> Aim:
    """Matches a value with the output parameters."""
    match value:
        case Sequence(items=items) | NamedTuple(items=items) if not (
            len(outputs) == 1 and isinstance(outputs[0], Mapping)
        ):
            if len(items) != len(outputs):
                raise Impossible(miscount(place, len(items), outputs))
            return _aim_each(place, items, expression, outputs, cast=cast)
        case Mapping() if len(outputs) > 1:
            raise Impossible(f"It returns a dict, but there are {len(outputs)} outputs.")
    if len(outputs) == 1:
        return _aim_one(place, value, expression, outputs[0], cast=cast)
    if isinstance(value, (Something, Unknown, OneOf)):
        parts = [_aim_one(place, Unknown(), None, output, cast=False) for output in outputs]
        doubt = f"It is not known that the value has {len(outputs)} elements."
        return Aim(tuple(part.targets for part in parts), (doubt,))
    raise Impossible(miscount(place, 1, outputs))


def miscount(place: Place, values: int, outputs: tuple[Value, ...]) -> str:
    """Says that there are more or fewer values than outputs."""
    returned = "one value" if values == 1 else f"{values} values"
    there = "is one output" if len(outputs) == 1 else f"are {len(outputs)} outputs"
    refs = [output for output in outputs if isinstance(output, Ref) and output in place.names]
    named = f", {quoted(place, refs)}" if len(refs) == len(outputs) and not place.way.run.lacks_outputs else ""
    return f"It returns {returned}, but there {there}{named}."


def aim_at_elements(place: Place, items: tuple[Value, ...], refs: tuple[Ref, ...]) -> Aim:
    """Takes the first elements of a value apart, one for each Ref; the value may have more."""
    return _aim_parts(place, [(ref, items[index], f"[{index}]") for index, ref in enumerate(refs)])


def _aim_each(
    place: Place, items: tuple[Value, ...], expression: ast.expr | None, outputs: tuple[Value, ...], *, cast: bool
) -> Aim:
    parts = [
        _aim_one(place, item, node, output, cast=cast)
        for item, node, output in zip(items, elements(expression, len(items)), outputs, strict=True)
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
                    return aim_at(place, value, expression, inner, cast=cast)
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
        case _ if foreign_type(value):
            raise Impossible(f"A value of type `{foreign_type(value)}` cannot be stored.")
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
        if not broadcasts(array, ref):
            raise Impossible(f"The value has shape {_shape(array)}, `{name}` has shape {_shape_of(ref)}.")
        if not place.numpy:
            raise Impossible(
                f"The value has shape {_shape(array)}, `{name}` has shape {_shape_of(ref)},"
                " and `jax.numpy` is not imported here to broadcast it."
            )
        before, after = f"{place.numpy}.broadcast_to(", f", {name}.shape)"
        if any(size != 1 for size in ref.shape):
            doubts.append(f"The value of shape {_shape(array)} is broadcast to that of `{name}`.")
    differs = bool(array.dtype and ref.dtype) and array.dtype != ref.dtype and not _converts(array, ref, place.target)
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


def broadcasts(array: Array, ref: Ref) -> bool:
    """Whether an array may be broadcast to the shape of a Ref, as far as both are known."""
    if array.shape is None or ref.shape is None:
        return True
    if len(array.shape) > len(ref.shape):
        return False
    pairs = zip(reversed(array.shape), reversed(ref.shape), strict=False)
    return all(one in (1, None, other) or other is None for one, other in pairs)


def _converts(array: Array, ref: Ref, target: Version) -> bool:
    """Whether JAX stores one dtype into the other by itself: since 0.6 integers into integers, numbers into floats."""
    if target < (0, 6):
        return False
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

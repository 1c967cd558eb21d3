"""Whether a value fits the place that it is stored to: JAX neither broadcasts nor converts in a store."""

from __future__ import annotations

from pallas_lsp.semantics import members
from pallas_lsp.semantics.arithmetic import as_array, on_device
from pallas_lsp.semantics.events import Stored
from pallas_lsp.semantics.jax_api import JAX_ARRAY_TYPES
from pallas_lsp.semantics.values import Array, Constant, Ref, Shape, Value


def misfit(stored: Stored) -> tuple[Shape, Shape] | None:
    """The shape of the place and that of the value, when they differ for certain."""
    array = _array(stored.value)
    if not isinstance(stored.owner, Ref) or not stored.owner.leaf or array is None or array.shape is None:
        return None
    place = members.indexed_shape(stored.owner.shape, stored.index, of_ref=True)
    if place is None or not _differ(place, array.shape):
        return None
    return place, array.shape


def _differ(one: Shape, other: Shape) -> bool:
    return len(one) != len(other) or any(
        left is not None and right is not None and left != right for left, right in zip(one, other, strict=True)
    )


def wrong_dtype(stored: Stored) -> tuple[str, str] | None:
    """The dtype of a Ref and that of a value, when JAX refuses to store the one into the other."""
    array = _array(stored.value)
    if not isinstance(stored.owner, Ref) or not stored.owner.leaf or array is None:
        return None
    into, given = on_device(stored.owner.dtype), on_device(_dtype(stored.value, array))
    if not {into, given} <= JAX_ARRAY_TYPES or into == given or ("int" in into and "int" in given):
        return None
    weak = array.weak and "float" in given and "float" in into
    return None if weak else (into, given)


def _dtype(value: Value, array: Array) -> str:
    if isinstance(value, Constant):
        return {bool: "bool", int: "int32", float: "float32"}.get(type(value.value), "")
    return array.dtype


def _array(value: Value) -> Array | None:
    """The value, when it is an array or a number; a Ref is neither."""
    return as_array(value) if isinstance(value, (Array, Constant)) else None


def shown(shape: Shape) -> str:
    """A shape as Python prints it, with `?` for what is not known."""
    sizes = ["?" if size is None else str(size) for size in shape]
    return f"({sizes[0]},)" if len(sizes) == 1 else f"({', '.join(sizes)})"

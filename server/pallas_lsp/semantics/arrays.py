"""Arrays and Refs: what functions and methods make of their shapes and dtypes, and what they store."""

from __future__ import annotations

import math
from dataclasses import replace

from pallas_lsp.semantics import arithmetic, members, observing
from pallas_lsp.semantics.calls import Call, Handler, handlers
from pallas_lsp.semantics.jax_api import (
    DESCRIPTOR_METHODS,
    MOSAIC_GPU,
    PALLAS,
    REF_METHODS,
    TPU,
    TRITON,
    VIEW_METHODS,
    Result,
)
from pallas_lsp.semantics.values import (
    NONE,
    SCALAR,
    SOMETHING,
    UNKNOWN,
    Array,
    Constant,
    Constructed,
    External,
    Ref,
    Role,
    Sequence,
    Shape,
    Value,
    View,
)


def _is_host(request: Call) -> bool:
    return request.name.startswith("numpy.")


def _made(request: Call, shape: tuple[int | None, ...] | None, dtype: str) -> Value:
    host = _is_host(request)
    outside = not host and not request.interpreter.running
    return Array(shape, dtype, origin=request.node, traced=not host, host=host, outside=outside)


def _filled(request: Call) -> Value:
    position = 2 if request.name.endswith(".full") else 1
    default = "" if position == 2 else "float64" if _is_host(request) else "float32"
    given = request.get("dtype", position)
    dtype = arithmetic.dtype_name(given) if given is not None else default
    return _made(request, arithmetic.shape_of(request.get("shape", 0)), dtype)


def _arange(request: Call) -> Value:
    bounds = request.arguments.positional
    numbers = [bound.value for bound in bounds if isinstance(bound, Constant) and isinstance(bound.value, (int, float))]
    given = request.get("dtype", 3)
    if given is not None or len(numbers) != len(bounds):
        dtype = arithmetic.dtype_name(given)
    else:
        bits = 64 if _is_host(request) else 32  # unless `jax_enable_x64` is set
        dtype = f"{'float' if any(isinstance(number, float) for number in numbers) else 'int'}{bits}"
    size = _range_size(numbers) if numbers and len(numbers) == len(bounds) and not request.get("step") else None
    return _made(request, (size,), dtype)


def _range_size(bounds: list[int | float]) -> int | None:
    """How many numbers a range has, given as `stop`, or as `start, stop` and perhaps `step`."""
    start, stop, step = (0, bounds[0], 1) if len(bounds) == 1 else (*bounds, 1)[:3]
    if not step or not all(math.isfinite(bound) for bound in bounds):
        return None
    return max(0, math.ceil((stop - start) / step))


def _like(request: Call) -> Value:
    array = arithmetic.as_array(request.get("a", 0) or request.get("x") or UNKNOWN)
    given = request.get("dtype", 2 if request.name.endswith("full_like") else 1)
    if array is None:
        return _made(request, None, "")
    return _made(request, array.shape, array.dtype if given is None else arithmetic.dtype_name(given))


def _as_array(request: Call) -> Value:
    value = request.get("a", 0) or request.get("object") or request.get("x") or UNKNOWN
    array = arithmetic.as_array(value)
    given = request.get("dtype", 1)
    if array is None or array.weak:
        shape = () if array is not None else _shape_of_literal(value)
        return _made(request, shape, arithmetic.dtype_name(given))
    dtype = array.dtype if _is_host(request) else arithmetic.on_device(array.dtype)
    return _made(request, array.shape, dtype if given is None else arithmetic.dtype_name(given))


def _shape_of_literal(value: Value) -> tuple[int | None, ...] | None:
    """The shape of an array made of a list of numbers, or of lists of them."""
    match value:
        case Constant(value=bool() | int() | float() | complex()):
            return ()
        case Sequence(items=(first, *_) as items):
            inner = _shape_of_literal(first)
            return None if inner is None else (len(items), *inner)
        case _:
            return None


def _elementwise(request: Call) -> Value:
    arrays = [arithmetic.as_array(value) for value in request.arguments.positional]
    shape: tuple[int | None, ...] | None = ()
    for array in arrays:
        shape = arithmetic.broadcast(shape, None if array is None else array.shape)
    known = [array for array in arrays if array is not None]
    dtypes = {array.dtype for array in known if not array.weak}
    floating = len(dtypes) == 1 and len(known) == len(arrays) and "float" in next(iter(dtypes))
    return _made(request, shape if arrays else None, next(iter(dtypes)) if floating else "")


def _where(request: Call) -> Value:
    """With the condition alone it returns a tuple of indices."""
    return _elementwise(request) if len(request.arguments.positional) == 3 else SOMETHING


def _reduction(request: Call) -> Value:
    array = arithmetic.as_array(request.arguments.positional[0]) if request.arguments.positional else None
    if len(request.arguments.positional) == 1 and not request.arguments.keywords and request.arguments.complete:
        return _made(request, (), array.dtype if array is not None and "float" in array.dtype else "")
    shape = None
    if array is not None and len(request.arguments.positional) <= 2 and request.arguments.complete:
        shape = _reduced(array.shape, request.get("axis", 1), request.get("keepdims"))
    return _made(request, shape, "")


def _reduced(shape: Shape | None, axis: Value | None, keeps: Value | None) -> Shape | None:
    """The shape of a reduction along known axes, None when it is not certain."""
    axes = axis.items if isinstance(axis, Sequence) else (axis,)
    known = [one.value for one in axes if isinstance(one, Constant) and type(one.value) is int]
    if shape is None or len(known) != len(axes) or not (keeps is None or keeps in (Constant(True), Constant(False))):
        return None
    if not all(-len(shape) <= one < len(shape) for one in known):
        return None
    reduced = {one % len(shape) for one in known}
    if keeps == Constant(True):
        return tuple(1 if at in reduced else size for at, size in enumerate(shape))
    return tuple(size for at, size in enumerate(shape) if at not in reduced)


def _broadcasted_iota(request: Call) -> Value:
    dtype = arithmetic.dtype_name(request.get("dtype", 0))
    return _made(request, arithmetic.shape_of(request.get("shape", 1)), dtype)


def _broadcast_to(request: Call) -> Value:
    array = arithmetic.as_array(request.get("array", 0) or UNKNOWN)
    return _made(request, arithmetic.shape_of(request.get("shape", 1)), "" if array is None else array.dtype)


_MAY_CHANGE_NOTHING = frozenset({"astype", "reshape", "squeeze", "ravel", "flatten", "copy", "transpose", "view"})


def array_method(request: Call, name: str) -> Value:
    """What `array.name(...)` gives."""
    array, *rest = request.arguments.positional or (UNKNOWN,)
    if not isinstance(array, Array):
        return Array()
    # What may be the array itself is still one of outside; all else is computed where the kernel runs.
    outside = array.outside and (name in _MAY_CHANGE_NOTHING or not request.interpreter.running)
    made = Array(origin=request.node, traced=array.traced, host=array.host, staged=array.staged, outside=outside)
    match name:
        case "astype":
            dtype = arithmetic.dtype_name(rest[0] if rest else request.get("dtype"))
            return replace(made, shape=array.shape, dtype=dtype)
        case "reshape":
            sizes = rest[0] if len(rest) == 1 else Sequence(tuple(rest))
            shape = arithmetic.shape_of(sizes)
            shape = None if shape is None or any(size is not None and size < 0 for size in shape) else shape
            return replace(made, shape=shape, dtype=array.dtype)
        case "sum" | "max" | "min" | "mean" | "prod" | "any" | "all" | "std" | "var" | "argmax" | "argmin":
            whole = not rest and not request.arguments.keywords
            keeps = array.dtype if "float" in array.dtype and not name.startswith("a") else ""
            if len(rest) > 1:
                return made
            axis = rest[0] if rest else request.get("axis")
            shape = () if whole else _reduced(array.shape, axis, request.get("keepdims"))
            return replace(made, shape=shape, dtype=keeps if whole else "")
        case "copy" | "block_until_ready" | "__array__":
            return array
        case "item" | "tolist" | "tobytes":
            return SOMETHING
        case _:
            return made


def _store_item(request: Call, owner: Value, index: Value, value: Value) -> None:
    """Follows a call that stores into a Ref."""
    observing.item_stored(request.interpreter, request.node, (owner, index, value), request.frame)
    request.interpreter.store_item(owner, index, value, request.node)


def ref_method(request: Call, name: str) -> Value:
    """What `ref.name(...)` gives; it may store."""
    owner, *rest = request.arguments.positional or (UNKNOWN,)
    if name in VIEW_METHODS:
        return View(owner.ref if isinstance(owner, View) else owner) if isinstance(owner, (Ref, View)) else UNKNOWN
    whole = isinstance(owner, Ref) and not request.arguments.keywords
    ellipsis = Constant(Ellipsis)
    match name:
        case "__setitem__":
            _store_item(request, owner, rest[0] if rest else UNKNOWN, rest[1] if len(rest) > 1 else UNKNOWN)
        case "set" | "swap" | "addupdate":
            index = ellipsis if whole and len(rest) == 1 else rest[-1] if len(rest) == 2 else UNKNOWN
            stored = rest[0] if rest else UNKNOWN
            _store_item(request, owner, index, stored if name != "addupdate" else UNKNOWN)
        case "__getitem__":
            return members.item(owner, rest[0] if rest else UNKNOWN, request.node)
    if REF_METHODS[name] is Result.NONE:
        return NONE
    complete = isinstance(owner, Ref) and whole and len(rest) == (1 if name == "swap" else 0)
    if complete and isinstance(owner, Ref):
        return Array(owner.shape, owner.dtype, origin=request.node, whole=owner, staged=True)
    return Array(origin=request.node, staged=True)


def descriptor_method(request: Call, name: str) -> Value:
    """What a method of a copy descriptor gives."""
    return NONE if DESCRIPTOR_METHODS[name] is Result.NONE else UNKNOWN


def _load(request: Call) -> Value:
    """`pltpu.load(ref)`, `jax.ref.get(ref)`, `pl.load(ref, idx)`: the whole Ref when nothing else is given."""
    match request.arguments.positional:
        case (Ref() as ref,) if not request.arguments.keywords:
            return Array(ref.shape, ref.dtype, origin=request.node, whole=ref, staged=True)
        case (Ref() | View() as ref, index):
            return members.item(ref, index, request.node)
        case _:
            return Array(origin=request.node)


def _store(request: Call) -> Value:
    """`pltpu.store(ref, value)`, `jax.ref.set(ref, idx, value)`, `pl.store(ref, idx, value)`."""
    match request.arguments.positional:
        case (owner, value):
            whole = not request.arguments.keywords
            _store_item(request, owner, Constant(Ellipsis) if whole else UNKNOWN, value)
        case (owner, index, value):
            _store_item(request, owner, index, value)
        case (owner, *_):
            _store_item(request, owner, UNKNOWN, UNKNOWN)
    return NONE


def _swap(request: Call) -> Value:
    """`jax.ref.swap(ref, idx, value)`: stores, and gives what was there before."""
    match request.arguments.positional:
        case (owner, index, value, *_):
            _store_item(request, owner, index, value)
            whole = isinstance(owner, Ref) and members.is_whole_index(index)
            return Array(origin=request.node, whole=owner if whole and isinstance(owner, Ref) else None)
    request.interpreter.escape(request.arguments.values(), request.node)
    return Array(origin=request.node)


def _add_update(request: Call) -> Value:
    """`jax.ref.addupdate(ref, idx, value)`."""
    if request.arguments.positional:
        index = request.get("idx", 1) or UNKNOWN
        _store_item(request, request.arguments.positional[0], index, UNKNOWN)
    return NONE


def _copy_whole(request: Call) -> Value:
    """`pltpu.sync_copy(source, target)`: the target is stored, all of it when it is a Ref."""
    target = request.get("dst_ref", 1)
    if target is not None:
        _store_item(request, target, Constant(Ellipsis), UNKNOWN)
    return NONE


def _ceiling_division(request: Call) -> Value:
    """`pl.cdiv(a, b)`: a Python number for numbers, else an array."""
    arrays = [arithmetic.as_array(value) for value in request.arguments.positional]
    if len(arrays) == 2 and all(array is not None and array.shape == () and not array.traced for array in arrays):
        return SCALAR
    return Array(origin=request.node)


def _type_of_array(request: Call) -> Value:
    array = arithmetic.as_array(request.arguments.positional[0]) if request.arguments.positional else None
    if array is None:
        return UNKNOWN
    dtype = External(f"jax.numpy.{array.dtype}") if array.dtype else UNKNOWN
    return Constructed("jax.ShapeDtypeStruct", (("shape", arithmetic.shape_value(array.shape)), ("dtype", dtype)))


def _new_ref(request: Call) -> Value:
    array = arithmetic.as_array(request.arguments.positional[0]) if request.arguments.positional else None
    if array is None:
        return Ref(Role.UNKNOWN, -1, "")
    return Ref(Role.UNKNOWN, -1, "", array.shape, array.dtype, leaf=True)


HANDLERS: dict[str, Handler] = {
    "jax.typeof": _type_of_array,
    "jax.new_ref": _new_ref,
    f"{PALLAS}.cdiv": _ceiling_division,
    f"{TPU}.sync_copy": _copy_whole,
    f"{PALLAS}.sync_copy": _copy_whole,
    **handlers("load", _load, TPU, PALLAS, TRITON, MOSAIC_GPU),
    **handlers("store", _store, TPU, PALLAS, TRITON),
    "jax.ref.get": _load,
    "jax.ref.set": _store,
    "jax.ref.swap": _swap,
    "jax.ref.addupdate": _add_update,
    f"{PALLAS}.swap": _swap,
    **handlers("zeros ones empty full", _filled, "jax.numpy", "numpy", "jax.lax"),
    **handlers("zeros_like ones_like empty_like full_like", _like, "jax.numpy", "numpy", "jax.lax"),
    **handlers("asarray array", _as_array, "jax.numpy", "numpy"),
    **handlers(
        "exp exp2 log log1p expm1 sin cos tan tanh sqrt square abs absolute negative floor ceil round rint sign maximum"
        " minimum add subtract multiply clip relu sigmoid silu gelu softplus erf rsqrt logistic",
        _elementwise,
        "jax.numpy",
        "jax.lax",
        "jax.nn",
        "numpy",
    ),
    **handlers("arange", _arange, "jax.numpy", "numpy"),
    **handlers("where", _where, "jax.numpy", "numpy"),
    "jax.lax.broadcasted_iota": _broadcasted_iota,
    **handlers("sum max min mean prod any all", _reduction, "jax.numpy", "numpy"),
    **handlers("broadcast_to", _broadcast_to, "jax.numpy", "numpy"),
}
"""Functions that make arrays of a known shape, and those that read and store Refs."""

"""Attributes and items of values, and what is known of the containers among them."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import lru_cache

from pallas_lsp.semantics import arithmetic
from pallas_lsp.semantics.jax_api import DESCRIPTOR_METHODS, REF_METHODS, VIEW_METHODS, canonical
from pallas_lsp.semantics.values import (
    NONE,
    SCALAR,
    SOMETHING,
    UNKNOWN,
    Array,
    Bound,
    Constant,
    Constructed,
    External,
    Iterator,
    Mapping,
    NamedTuple,
    Nothing,
    OneOf,
    Record,
    Ref,
    Sequence,
    Shape,
    Value,
    View,
    join,
)

LIST_CHANGES = frozenset({"append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse"})
"""Methods that change a list in place."""

DICT_CHANGES = frozenset({"update", "pop", "popitem", "clear", "setdefault"})
"""Methods that change a dict in place."""

CHANGES = LIST_CHANGES | DICT_CHANGES

CHANGING_METHODS = frozenset({*(f"list.{name}" for name in LIST_CHANGES), *(f"dict.{name}" for name in DICT_CHANGES)})
"""The same methods by the names of their functions."""

_ARRAY_ATTRIBUTES = frozenset({"T", "mT", "real", "imag", "flat_"})
_NUMBER_ATTRIBUTES = frozenset({"ndim", "size", "itemsize", "nbytes", "weak_type"})
_EXTERNAL_NUMBERS = frozenset({"pi", "e", "inf", "nan", "euler_gamma"})
_EXTERNAL_NUMBER_MODULES = frozenset({"jax.numpy", "numpy", "math"})


def changed(value: Value, method: str, arguments: tuple[Value, ...] | None) -> tuple[Value, Value]:
    """What `value.method(*arguments)` gives for a list or a dict, and what is left of it."""
    match value:
        case Sequence(items=items) if method == "pop" and arguments is not None:
            index = arguments[0] if arguments else Constant(-1)
            if isinstance(index, Constant) and isinstance(index.value, int) and -len(items) <= index.value < len(items):
                left = list(items)
                return left.pop(index.value), Sequence(tuple(left), is_list=True)
            return UNKNOWN, SOMETHING
        case Sequence() if method in LIST_CHANGES:
            return NONE, SOMETHING if arguments is None else _changed_list(value, method, arguments)
        case Mapping(items=pairs) if method == "pop" and arguments and isinstance(arguments[0], Constant):
            key = arguments[0].value
            rest = tuple(pair for pair in pairs if pair[0] != key)
            return _default(value.get(key), arguments[1:]), Mapping(rest)
        case Mapping() if method in ("update", "clear"):
            return NONE, SOMETHING
        case Mapping() if method in DICT_CHANGES:
            return UNKNOWN, SOMETHING
        case _:
            return UNKNOWN, value


def is_changeable(value: Value) -> bool:
    """Whether a value is an object of which the content may change: a list, a dict or an iterator."""
    return isinstance(value, (Mapping, Iterator)) or (isinstance(value, Sequence) and value.is_list)


def holds(value: Value, part: Value) -> bool:
    """Whether a value is this very object, or has it in it."""
    if value is part:
        return True
    match value:
        case Sequence(items=items) | NamedTuple(items=items) | OneOf(alternatives=items):
            return any(holds(one, part) for one in items)
        case Iterator(items=items):
            return any(holds(one, part) for one in items or ())
        case Mapping(items=pairs):
            return any(holds(one, part) for _, one in pairs)
        case _:
            return False


def next_of(value: Value, default: list[Value]) -> tuple[Value, Value]:
    """What `next(value, default)` gives, and what is left of the iterator."""
    match value:
        case Iterator(items=(first, *rest)):
            return first, Iterator(tuple(rest))
        case Iterator(items=()):
            return _default(None, tuple(default)), value
        case _:
            return UNKNOWN, value


def _default(found: Value | None, default: tuple[Value, ...]) -> Value:
    if found is not None:
        return found
    return default[0] if default else UNKNOWN


def _changed_list(value: Sequence, method: str, arguments: tuple[Value, ...]) -> Value:
    if method == "append" and len(arguments) == 1:
        return Sequence((*value.items, arguments[0]), is_list=True)
    if method == "extend" and len(arguments) == 1:
        more = items_of(arguments[0])
        if more is not None:
            return Sequence((*value.items, *more), is_list=True)
    if method == "insert" and len(arguments) == 2 and arguments[0] == Constant(0):
        return Sequence((arguments[1], *value.items), is_list=True)
    return SOMETHING


def items_of(value: Value) -> tuple[Value, ...] | None:
    """What a loop over a value yields, None when that is not known."""
    match value:
        case Sequence(items=items) | NamedTuple(items=items):
            return items
        case Mapping(items=pairs):
            return tuple(Constant(key) for key, _ in pairs)
        case Iterator(items=known):
            return known
        case _:
            return None


def slice_value(parts: Iterable[Value]) -> Value:
    """The value of `lower:upper:step` between brackets."""
    return Constructed("slice", tuple(zip(("start", "stop", "step"), parts, strict=True)))


def is_whole_index(index: Value) -> bool:
    """Whether `ref[index]` is all of it: `...`, `:`, `()` and tuples of these."""
    match index:
        case Constant(value=value):
            return value is Ellipsis
        case Constructed(name="slice", arguments=arguments):
            return all(part == NONE for _, part in arguments)
        case Sequence(items=items):
            return all(is_whole_index(item) for item in items)
        case _:
            return False


def _is_of_array(index: Value) -> bool:
    """Whether an index is one that only arrays and Refs take: `...`, or one with several parts."""
    return isinstance(index, Sequence) or (isinstance(index, Constant) and index.value is Ellipsis)


def indexed_shape(shape: Shape | None, index: Value, *, of_ref: bool) -> Shape | None:
    """The shape of `array[index]` or `ref[index]`, None when it is not plain; of a Ref, None makes no dimension."""
    if shape is None or is_whole_index(index):
        return shape
    items = _without_ellipsis(len(shape), index.items if isinstance(index, Sequence) else (index,))
    sizes = iter(shape)
    kept: list[int | None] = []
    for item in items or ():
        match item:
            case Nothing() if not of_ref:
                kept.append(1)
            case Constructed(name="slice", arguments=arguments):
                kept.append(_size_of_slice(next(sizes), arguments))
            case Constant(value=bool()) | Array(dtype="bool"):
                return None
            case Constant(value=int()) | Array(shape=()):
                next(sizes)
            case _:
                return None
    return None if items is None else (*kept, *sizes)


def _without_ellipsis(rank: int, items: tuple[Value, ...]) -> tuple[Value, ...] | None:
    """The parts of an index with `:` for what `...` stands for, None when there are too many of them."""
    missing = rank - sum(1 for item in items if item not in (NONE, Constant(Ellipsis)))
    if missing < 0 or items.count(Constant(Ellipsis)) > 1:
        return None
    if Constant(Ellipsis) not in items:
        return items
    at = items.index(Constant(Ellipsis))
    return (*items[:at], *[slice_value((NONE, NONE, NONE))] * missing, *items[at + 1 :])


def _size_of_slice(size: int | None, arguments: tuple[tuple[str, Value], ...]) -> int | None:
    """How many indices a slice of a dimension has."""
    bounds = slice_of(arguments)
    if bounds == slice(None):
        return size
    if size is None or bounds is None or bounds.step == 0:
        return None
    return len(range(*bounds.indices(size)))


def item(owner: Value, index: Value, node: ast.AST) -> Value:
    """The value of `owner[index]`."""
    match owner, index:
        case Ref(), Constant(value=str() as key):
            return Ref(owner.role, -1, f"{owner.name}[{key!r}]")
        case Ref(), _:
            return Array(
                indexed_shape(owner.shape, index, of_ref=True),
                owner.dtype,
                origin=node,
                whole=owner if is_whole_index(index) else None,
                staged=owner.leaf or _is_of_array(index),
            )
        case View(), _:
            return Array(dtype=owner.ref.dtype, origin=node, staged=True)
        case Array(), _:
            return Array(
                indexed_shape(owner.shape, index, of_ref=False),
                owner.dtype,
                origin=node,
                whole=owner.whole if is_whole_index(index) else None,
                traced=owner.traced,
                host=owner.host,
                staged=owner.staged,
                outside=owner.outside,
            )
        case Constructed(name="Ref.at", arguments=((_, Ref() | View() as ref),)), _:
            return View(ref.ref if isinstance(ref, View) else ref)
        case Constructed(name="array.at"), _:
            return owner
        case ((Sequence(items=items) | NamedTuple(items=items)), Constant(value=int() as position)):
            return items[position] if -len(items) <= position < len(items) else UNKNOWN
        case Sequence(items=items, is_list=is_list), Constructed(name="slice", arguments=arguments):
            bounds = slice_of(arguments)
            return SOMETHING if bounds is None else Sequence(items[bounds], is_list)
        case Sequence(items=items), Array() if items:
            return join(items)
        case Mapping(), Constant(value=key):
            found = owner.get(key)
            return UNKNOWN if found is None else found
        case Mapping(items=pairs), _ if pairs:
            return join(value for _, value in pairs)
        case External(name="jax.numpy.s_" | "numpy.s_"), _:
            return index
        case _:
            return UNKNOWN


def slice_of(arguments: tuple[tuple[str, Value], ...]) -> slice | None:
    """The slice with these bounds, None when one of them is not known."""
    bounds: list[int | None] = []
    for _, part in arguments:
        match part:
            case Constant(value=int() as bound):
                bounds.append(bound)
            case _ if part == NONE:
                bounds.append(None)
            case _:
                return None
    return slice(*bounds)


def attribute(owner: Value, name: str) -> Value:
    """The value of `owner.name`, for owners that are no modules, classes or objects of the project."""
    match owner:
        case External(name=path):
            return _external_attribute(path, name)
        case Ref() | View():
            return _ref_attribute(owner, name)
        case Array():
            return _array_attribute(owner, name)
        case NamedTuple(cls=cls, items=items) if name in cls.fields:
            return items[cls.fields.index(name)]
        case Constant(value=str()):
            return Bound(External(f"str.{name}"), owner)
        case NamedTuple() if name == "_replace":
            return Bound(External("namedtuple._replace"), owner)
        case Sequence(is_list=True) if name in LIST_CHANGES:
            return Bound(External(f"list.{name}"), owner)
        case Sequence() if name in ("index", "count"):
            return Bound(External(f"sequence.{name}"), owner)
        case Mapping() if name in DICT_CHANGES or name in ("items", "keys", "values", "get"):
            return Bound(External(f"dict.{name}"), owner)
        case Constructed(name="AsyncCopyDescriptor") if name in DESCRIPTOR_METHODS:
            return Bound(External(f"AsyncCopyDescriptor.{name}"), owner)
        case Constructed(name="dtype") if name == "itemsize":
            return arithmetic.item_size(arithmetic.dtype_name(owner))
        case Record():
            field = owner.get(name)
            return UNKNOWN if field is None else field
        case Constructed(name="array.at"):
            return Bound(External(f"array.{name}"), owner.get("array") or Array())
        case Constructed():
            given = owner.get(name)
            return UNKNOWN if given is None else given
        case _:
            return UNKNOWN


@lru_cache(maxsize=4096)
def _external_attribute(path: str, name: str) -> Value:
    if name in _EXTERNAL_NUMBERS and path in _EXTERNAL_NUMBER_MODULES:
        return SCALAR
    return NONE if name == "newaxis" else External(canonical(f"{path}.{name}"))


def _ref_attribute(owner: Ref | View, name: str) -> Value:
    ref = owner if isinstance(owner, Ref) else owner.ref
    shape = owner.shape if isinstance(owner, Ref) else None
    match name:
        case "shape":
            return arithmetic.shape_value(shape)
        case "dtype":
            return arithmetic.dtype_object(ref.dtype)
        case "ndim":
            return SCALAR if shape is None else Constant(len(shape))
        case "size":
            return SCALAR
        case "at":
            return Constructed("Ref.at", (("ref", owner),))
        case "T":
            return View(ref)
        case _ if name in REF_METHODS or name in VIEW_METHODS:
            return Bound(External(f"Ref.{name}"), owner)
        case _:
            return UNKNOWN


def _array_attribute(owner: Array, name: str) -> Value:
    if name == "shape":
        return arithmetic.shape_value(owner.shape)
    if name == "dtype":
        return arithmetic.dtype_object(owner.dtype)
    if name == "ndim" and owner.shape is not None:
        return Constant(len(owner.shape))
    if name in _NUMBER_ATTRIBUTES:
        return SCALAR
    if name in _ARRAY_ATTRIBUTES:
        return Array(None, owner.dtype, False, None, None, owner.traced, owner.host, owner.staged, owner.outside)
    if name == "at":
        return Constructed("array.at", (("array", Array(owner.shape, owner.dtype, staged=owner.staged)),))
    return Bound(External(f"array.{name}"), owner)

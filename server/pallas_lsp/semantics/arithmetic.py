"""What operators give: constants are folded, arrays keep the shape and dtype that follow for certain."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pallas_lsp.semantics.values import (
    SCALAR,
    SOMETHING,
    UNKNOWN,
    Array,
    Class,
    Constant,
    Constructed,
    External,
    Function,
    Mapping,
    Nothing,
    NotJax,
    OneOf,
    Ref,
    Sequence,
    Shape,
    Value,
    View,
    alternatives,
    foreign_type,
    is_none,
    join,
    may_be_none,
    truth,
)

MAX_LENGTH = 10_000
"""Longer sequences and strings, and larger numbers, are not folded."""

_FOLDABLE: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Div: operator.truediv,
    ast.Mod: operator.mod,
}

_COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


def binary(operation: ast.operator, left: Value, right: Value, node: ast.AST) -> Value:
    """The value of `left operation right`."""
    return join(_binary(operation, one, other, node) for one in alternatives(left) for other in alternatives(right))


def _binary(operation: ast.operator, left: Value, right: Value, node: ast.AST) -> Value:
    match left, right:
        case Constant(value=one), Constant(value=other):
            return _fold(operation, one, other)
        case Sequence(items=one, is_list=is_list), Sequence(items=other, is_list=other_list) if is_list == other_list:
            if isinstance(operation, ast.Add) and len(one) + len(other) <= MAX_LENGTH:
                return Sequence(one + other, is_list)
            return SOMETHING
        case (Sequence() as sequence, Constant(value=int() as count)) | (
            Constant(value=int() as count),
            Sequence() as sequence,
        ):
            if isinstance(operation, ast.Mult) and 0 <= count * len(sequence.items) <= MAX_LENGTH:
                return Sequence(sequence.items * count, sequence.is_list)
            return SOMETHING
        case (Constant(value=str()), _) if isinstance(operation, (ast.Add, ast.Mod)):
            return NotJax("str")
        case _:
            return _array_operation(operation, left, right, node)


def _fold(operation: ast.operator, left: Any, right: Any) -> Value:
    fold = _FOLDABLE.get(type(operation))
    numbers = isinstance(left, (int, float)) and isinstance(right, (int, float))
    texts = isinstance(operation, ast.Add) and isinstance(left, str) and isinstance(right, str)
    if fold is None or not (numbers or texts):
        return (
            SCALAR
            if isinstance(left, (int, float, complex)) and isinstance(right, (int, float, complex))
            else SOMETHING
        )
    try:
        result = fold(left, right)
    except (ArithmeticError, TypeError, ValueError):
        return UNKNOWN
    if (isinstance(result, int) and abs(result) > 2**64) or (isinstance(result, str) and len(result) > MAX_LENGTH):
        return SOMETHING
    return Constant(result)


def as_array(value: Value) -> Array | None:
    """The value as one array operand, None when it is not known to be one."""
    match value:
        case Array():
            return value
        case Ref(shape=shape, dtype=dtype):
            return Array(shape, dtype)
        case View():
            return Array()
        case Constant(value=bool()):
            return Array((), "bool", traced=False)
        case Constant(value=int() | float() | complex()):
            return Array((), "", weak=True, traced=False)
        case _:
            return None


def _array_operation(operation: ast.operator, left: Value, right: Value, node: ast.AST) -> Value:
    one, other = as_array(left), as_array(right)
    if one is None and other is None:
        return SOMETHING
    if one is None or other is None:
        known = one or other
        assert known is not None
        # A number times an unknown object may be a list, a string or anything else.
        if not known.traced and not known.host:
            return SOMETHING
        return Array(origin=node, staged=known.staged, outside=known.outside)
    dtype = _common_dtype(operation, left, right, one, other)
    return Array(
        shape=None if isinstance(operation, ast.MatMult) else broadcast(one.shape, other.shape),
        dtype=dtype,
        weak=one.weak and other.weak,
        origin=node,
        traced=one.traced or other.traced,
        host=(one.host or other.host) and not (one.traced or other.traced),
        staged=one.staged or other.staged,
        outside=one.outside or other.outside,
    )


def _common_dtype(operation: ast.operator, left: Value, right: Value, one: Array, other: Array) -> str:
    dtypes = {one.dtype, other.dtype}
    if "bool" in dtypes:  # what becomes of it hangs on the operator and on the other operand
        return "bool" if dtypes == {"bool"} and isinstance(operation, (ast.BitAnd, ast.BitOr, ast.BitXor)) else ""
    if any("complex" in dtype for dtype in dtypes) or any(map(_is_complex, (left, right))):
        return one.dtype if len(dtypes) == 1 else ""
    if isinstance(operation, ast.Div) and (one.traced or other.traced):
        integers = [array for array in (one, other) if "int" in array.dtype]
        if integers and all(array.weak or array in integers for array in (one, other)):
            return "float32"  # unless `jax_enable_x64` is set
    for array, constant, partner in ((one, left, other), (other, right, one)):
        if array.weak and not partner.weak:
            is_int = isinstance(constant, Constant) and isinstance(constant.value, int)
            fits = is_int or "float" in partner.dtype or "complex" in partner.dtype
            return partner.dtype if fits and not (isinstance(operation, ast.Div) and "int" in partner.dtype) else ""
    if isinstance(operation, ast.Div) and "int" in one.dtype:
        return ""
    return one.dtype if one.dtype == other.dtype else ""


def _is_complex(value: Value) -> bool:
    return isinstance(value, Constant) and isinstance(value.value, complex)


def broadcast(one: Shape | None, other: Shape | None) -> Shape | None:
    """The shape of an elementwise operation, None when unknown or impossible."""
    if one is None or other is None:
        return None
    length = max(len(one), len(other))
    padded = ((1,) * (length - len(one)) + one, (1,) * (length - len(other)) + other)
    result: list[int | None] = []
    for left, right in zip(*padded, strict=True):
        if left == right or right == 1:
            result.append(left)
        elif left == 1:
            result.append(right)
        elif left is None or right is None:
            result.append(right if left is None else left)
        else:
            return None
    return tuple(result)


def unary(operation: ast.unaryop, operand: Value, node: ast.AST) -> Value:
    """The value of `operation operand`, for all operators but `not`."""
    match operand:
        case Constant(value=bool() | int() | float() as number) if isinstance(operation, ast.USub):
            return Constant(-number)
        case Constant(value=bool() | int() | float() as number) if isinstance(operation, ast.UAdd):
            return Constant(+number)
        case _:
            array = as_array(operand)
            if array is None:
                return SOMETHING
            return replace(array, origin=node, whole=None)


def compare(operation: ast.cmpop, left: Value, right: Value, node: ast.AST) -> Value:
    """The value of one comparison."""
    if _is_choice(left) or _is_choice(right):
        return join(compare(operation, one, other, node) for one in alternatives(left) for other in alternatives(right))
    if isinstance(operation, (ast.Is, ast.IsNot)):
        return _identity(left, right, isinstance(operation, ast.Is))
    if isinstance(operation, (ast.In, ast.NotIn)):
        return _membership(left, right, isinstance(operation, ast.In))
    match left, right:
        case Constant(value=one), Constant(value=other):
            try:
                return Constant(bool(_COMPARISONS[type(operation)](one, other)))
            except TypeError:
                return UNKNOWN
    if isinstance(operation, (ast.Eq, ast.NotEq)):
        equal = _are_equal(left, right)
        if equal is not None:
            return Constant(equal is isinstance(operation, ast.Eq))
    if is_none(left) or is_none(right):
        return Constant(isinstance(operation, ast.NotEq)) if _never_equal(left, right) else SOMETHING
    known = [array for array in (as_array(left), as_array(right)) if array is not None]
    if any(array.traced for array in known):
        shapes = [array.shape for array in known]
        shape = broadcast(shapes[0], shapes[1]) if len(known) == 2 else None
        staged = any(array.staged for array in known) and not foreign_type(left) and not foreign_type(right)
        return Array(shape, "bool", origin=node, staged=staged, outside=any(array.outside for array in known))
    if len(known) == 2:
        return Array(broadcast(known[0].shape, known[1].shape), "bool", origin=node, traced=False)
    return SOMETHING


def _are_equal(left: Value, right: Value) -> bool | None:
    """Whether two objects that are no numbers are equal; None when that is not known."""
    match left, right:
        case Sequence(items=items, is_list=is_list), Sequence(items=others, is_list=other_list):
            if is_list is not other_list or len(items) != len(others):
                return False
            answers = [
                truth(compare(ast.Eq(), one, other, ast.Pass())) for one, other in zip(items, others, strict=True)
            ]
            return False if False in answers else None if None in answers else True
        case Constructed(name="enum member"), Constructed(name="enum member"):
            return _same_member(left, right)
        case Constructed(name="dtype"), (Constructed(name="dtype") | External() | Constant()):
            return _same_dtype(dtype_name(left), dtype_name(right))
        case ((External() | Constant()), Constructed(name="dtype")):
            return _same_dtype(dtype_name(left), dtype_name(right))
        case _:
            return None


def _same_dtype(one: str, other: str) -> bool | None:
    """Whether two dtypes are the same; with `jax_enable_x64` a wide one may stand where a narrow one is expected."""
    if not {one, other} <= _DTYPES or "64" in one + other:
        return None
    return one == other


def _same_member(one: Constructed, other: Constructed) -> bool | None:
    """Whether two members of enumerations are one object; two names of one value are."""
    if one.get("class") != other.get("class"):
        return False
    values = one.get("value"), other.get("value")
    same_value = isinstance(values[0], Constant) and values[0] == values[1]
    return one.get("name") == other.get("name") or same_value


def item_size(dtype: str) -> Value:
    """The bytes of one item, as far as the name of the dtype tells them."""
    bits = "".join(character for character in dtype if character.isdigit())
    return Constant(int(bits) // 8) if dtype in _DTYPES and bits and int(bits) >= 8 else SCALAR


def is_sub_dtype(dtype: str, kind: str) -> bool | None:
    """Whether a dtype is of a kind such as `integer`; None when that is not known."""
    if dtype not in _DTYPES or kind not in _KINDS:
        return None
    return dtype.startswith(_KINDS[kind])


def _is_choice(value: Value) -> bool:
    """Whether a value is one of several constants."""
    return isinstance(value, OneOf) and all(isinstance(one, (Constant, Nothing)) for one in value.alternatives)


def _never_equal(left: Value, right: Value) -> bool:
    """Whether one is None and the other certainly not."""
    return (is_none(left) and not may_be_none(right)) or (is_none(right) and not may_be_none(left))


def _identity(left: Value, right: Value, positive: bool) -> Value:
    if is_none(left) and is_none(right):
        return Constant(positive)
    if _never_equal(left, right):
        return Constant(not positive)
    match left, right:
        case Constant(value=bool() as one), Constant(value=bool() as other):
            return Constant((one is other) is positive)
        case Constructed(name="enum member"), Constructed(name="enum member"):
            return Constant(_same_member(left, right) is positive)
        case External(name=one), External(name=other) if f"{one} {other}".count("builtins.") == 2:
            return Constant((one == other) is positive)
        case ((Function(node=node) | Class(node=node)), (Function(node=other) | Class(node=other))):
            return Constant((node is other) is positive)
        case ((Function() | Class()), (External() | Constant())) | ((External() | Constant()), (Function() | Class())):
            return Constant(not positive)
    return Array((), "bool", traced=False)


def _membership(left: Value, right: Value, positive: bool) -> Value:
    match left, right:
        case Constant() as item, Sequence(items=items) if all(
            isinstance(one, Constant) or is_none(one) for one in items
        ):
            return Constant(any(one == item or _same_number(one, item) for one in items) is positive)
        case Constant(value=str() as part), Constant(value=str() as text):
            return Constant((part in text) is positive)
        case Constant(value=key), Mapping(items=pairs):
            return Constant(any(key == known for known, _ in pairs) is positive)
    return Array((), "bool", traced=False)


def _same_number(one: Value, other: Value) -> bool:
    return isinstance(one, Constant) and isinstance(other, Constant) and bool(one.value == other.value)


def dtype_name(value: Value | None) -> str:
    """The name of a dtype object: `jnp.float32`, `"float32"`, `ref.dtype`; empty when unknown."""
    match value:
        case External(name=name):
            return _DTYPE_ALIASES.get(name.rpartition(".")[2], name.rpartition(".")[2])
        case Constant(value=str() as name):
            return name
        case Constructed(name="dtype", arguments=((_, Constant(value=str() as name)),)):
            return name
        case _:
            return ""


def on_device(dtype: str) -> str:
    """The dtype that JAX gives a NumPy array: half as wide as 64 bits, unless `jax_enable_x64` is set."""
    return _NARROWED.get(dtype, dtype)


_NARROWED = {
    "int64": "int32",
    "uint64": "uint32",
    "float64": "float32",
    "complex128": "complex64",
}

_KINDS: dict[str, tuple[str, ...]] = {
    "integer": ("int", "uint"),
    "signedinteger": ("int",),
    "unsignedinteger": ("uint",),
    "floating": ("float", "bfloat"),
    "complexfloating": ("complex",),
    "bool_": ("bool",),
}

_DTYPES = frozenset(
    {
        "bool",
        "bfloat16",
        *(f"{kind}{bits}" for kind in ("int", "uint") for bits in (4, 8, 16, 32, 64)),
        *(f"float{bits}" for bits in (16, 32, 64)),
        *(f"complex{bits}" for bits in (64, 128)),
    }
)

_DTYPE_ALIASES = {"bool_": "bool", "single": "float32", "double": "float64", "half": "float16"}


def dtype_object(name: str) -> Value:
    """The value of `array.dtype`."""
    return Constructed("dtype", (("name", Constant(name)),)) if name else NotJax("dtype")


def shape_value(shape: Shape | None) -> Value:
    """The value of `array.shape`."""
    if shape is None:
        return SOMETHING
    return Sequence(tuple(SCALAR if size is None else Constant(size) for size in shape))


def shape_of(value: Value | None) -> Shape | None:
    """The shape that a value given as one denotes: `(8, 128)`, `8`; None when unknown."""
    match value:
        case Sequence(items=items):
            return tuple(_size(item) for item in items)
        case Constant(value=int() as size):
            return (size,)
        case _:
            return None


def _size(item: Value) -> int | None:
    match item:
        case Constant(value=int() as size):
            return size
        case Constructed(arguments=((_, Constant(value=int() as size)), *_)):
            return size
        case _:
            return None

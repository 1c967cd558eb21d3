"""What an expression may evaluate to, as far as that is known without running it.

A `Value` is an immutable description of a Python object. `Unknown` is always a right answer; everything else is a
claim that holds on every run. `pytree` prints a value as JAX does when a kernel returns it.
"""

from __future__ import annotations

import ast
import enum
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pallas_lsp.semantics.frames import Frame
    from pallas_lsp.semantics.launches import Launch
    from pallas_lsp.syntax import Chunk

Shape = tuple[int | None, ...]
"""A shape: an int where the size is known, None where it is not."""

MAX_ALTERNATIVES = 8
"""A union of more values than this is Unknown."""

MAX_PARTS = 10_000
"""A value with more parts than this is Unknown."""


class Value:
    """The base of all values."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Unknown(Value):
    """Any object at all.

    Args:
      parameter: the name of the parameter that it is, when that is all that is known of it.
      owner: the function that the parameter belongs to.
    """

    parameter: str = ""
    owner: ast.AST | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Never(Value):
    """No object: the expression does not come back (a call that recurs for ever, a name that is not bound here)."""


@dataclass(frozen=True, slots=True)
class Nothing(Value):
    """The object None."""


@dataclass(frozen=True, slots=True)
class Constant(Value):
    """A Python literal: bool, int, float, complex, str, bytes or Ellipsis."""

    value: Any

    def __eq__(self, other: object) -> bool:
        """1, 1.0 and True are different constants."""
        return isinstance(other, Constant) and type(self.value) is type(other.value) and bool(self.value == other.value)

    def __hash__(self) -> int:
        return hash((type(self.value), self.value))


@dataclass(frozen=True, slots=True)
class Array(Value):
    """One leaf that JAX accepts: an array, a tracer or a Python number.

    Args:
      shape: None when unknown.
      dtype: such as `float32`; empty when unknown.
      weak: whether the dtype gives way to the other operand's (a Python number, or arithmetic on numbers only).
      origin: the expression that computed it; two values of one origin in one run are the same object.
      whole: the Ref whose whole content it is, when it is just that.
      traced: False for a Python or NumPy number, which is known while the kernel is traced.
      host: whether it is a NumPy array, which JAX takes as a captured constant when a kernel returns it.
      staged: whether it is known only when the kernel runs, for certain: it comes from a Ref, a program id or a loop.
      outside: whether it is, for certain, an array of JAX that was made where no kernel runs.
    """

    shape: Shape | None = None
    dtype: str = ""
    weak: bool = False
    origin: ast.AST | None = field(default=None, repr=False)
    whole: Ref | None = None
    traced: bool = True
    host: bool = False
    staged: bool = False
    outside: bool = False


@dataclass(frozen=True, slots=True)
class Something(Value):
    """An object that is not None; its PyTree is unknown."""


@dataclass(frozen=True, slots=True)
class NotJax(Value):
    """An object that is not None and that JAX does not accept as a result (a str, a slice, a function, a generator)."""

    type_name: str


@dataclass(frozen=True, slots=True)
class Sequence(Value):
    """A tuple or a list of known length."""

    items: tuple[Value, ...]
    is_list: bool = False


@dataclass(frozen=True, slots=True)
class Mapping(Value):
    """A dict whose keys are known constants, in insertion order."""

    items: tuple[tuple[Any, Value], ...]

    def get(self, key: Any) -> Value | None:
        """The value of the last item with this key."""
        return next((value for name, value in reversed(self.items) if name == key), None)


@dataclass(frozen=True, slots=True)
class Iterator(Value):
    """Something that yields `items` once when looped over: zip, enumerate, dict.items of known length, or a range."""

    items: tuple[Value, ...] | None


class Role(enum.Enum):
    """What a kernel parameter is; the order is that of the parameters."""

    PREFETCH = "scalar prefetch"
    INPUT = "input"
    OUTPUT = "output"
    SCRATCH = "scratch"
    UNKNOWN = "Ref"


@dataclass(frozen=True, slots=True)
class Ref(Value):
    """A mutable array reference that a kernel is given.

    Args:
      role: what it is to the launch.
      index: 0-based among the leaves of its role, -1 when unknown.
      name: Python text that denotes it inside the kernel, such as `o_ref` or `bc[0]`.
      shape: of the block, None when unknown.
      dtype: empty when unknown.
      memory_space: such as `ANY`; empty when it is the default or unknown.
      leaf: whether it is known to be one Ref; else it may be a tree of Refs, or None, as the argument is.
    """

    role: Role
    index: int
    name: str
    shape: Shape | None = None
    dtype: str = ""
    memory_space: str = ""
    leaf: bool = False


@dataclass(frozen=True, slots=True)
class View(Value):
    """A part of a Ref (`ref.at[i]`, `ref.T`): a Ref to read and write through, but not one that can be returned."""

    ref: Ref


@dataclass(frozen=True, slots=True)
class External(Value):
    """A module or an object that is named by its import path and not analysed: `jax.numpy.exp`, `functools`."""

    name: str


@dataclass(frozen=True, slots=True)
class Constructed(Value):
    """What a call of an external class made: `jax.ShapeDtypeStruct((8, 128), jnp.float32)`.

    Args:
      name: the class, by its canonical name.
      arguments: by parameter name where the class is known to the API table, else by position `0`, `1`, ...
      node: the call.
      chunk: where the node is.
      path: the module that the chunk is of.
      complete: False when a star hides arguments.
    """

    name: str
    arguments: tuple[tuple[str, Value], ...]
    node: ast.AST | None = field(default=None, repr=False, compare=False)
    chunk: Chunk | None = field(default=None, repr=False, compare=False)
    path: str = field(default="", repr=False, compare=False)
    complete: bool = True

    def get(self, name: str) -> Value | None:
        """The argument called `name`, None when it was not given."""
        return next((value for key, value in self.arguments if key == name), None)


@dataclass(frozen=True, slots=True)
class ProjectModule(Value):
    """A module of the project; a folder stands for a package without an `__init__.py`."""

    path: str


@dataclass(frozen=True, slots=True, eq=False)
class Function(Value):
    """A function or lambda of the project, with the frame in which it was defined.

    Equal only to itself or to the same node in the same frame.

    Args:
      node: the `def` or lambda.
      chunk: where it stands.
      frame: what its free names mean.
      owner: the class that it is a member of.
      wraps: what a decorator made it from.
    """

    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    chunk: Chunk
    frame: Frame
    owner: Class | None = None
    wraps: Value | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Function) and self.node is other.node and self.frame is other.frame

    def __hash__(self) -> int:
        return hash((id(self.node), id(self.frame)))

    @property
    def name(self) -> str:
        """The name in `def`, or `<lambda>`."""
        return "<lambda>" if isinstance(self.node, ast.Lambda) else self.node.name


@dataclass(frozen=True, slots=True)
class Partial(Value):
    """`functools.partial(function, *arguments, **keywords)`; `complete` is False when a star hides some of them."""

    function: Value
    arguments: tuple[Value, ...] = ()
    keywords: tuple[tuple[str, Value], ...] = ()
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Bound(Value):
    """A method with its receiver: calling it passes `receiver` first."""

    function: Value
    receiver: Value


@dataclass(frozen=True, slots=True)
class Scoped(Value):
    """`pl.with_scoped(*types, **keyword_types)(function)`: appends scratch Refs to the arguments."""

    function: Value
    arguments: tuple[Value, ...]
    keywords: tuple[tuple[str, Value], ...]


@dataclass(frozen=True, slots=True)
class Decorator(Value):
    """What an API call returned that takes a function next: `pl.when(condition)`, `pl.loop(0, 8)`."""

    name: str
    arguments: tuple[tuple[str, Value], ...]
    node: ast.AST = field(repr=False)
    complete: bool = True

    def get(self, name: str) -> Value | None:
        """The argument called `name`, None when it was not given."""
        return next((value for key, value in self.arguments if key == name), None)


@dataclass(frozen=True, slots=True)
class Launched(Value):
    """The callable that a launch makes; calling it gives the kernel its arguments."""

    launch: Launch


@dataclass(frozen=True, slots=True)
class Batched(Value):
    """What `jax.vmap` makes of a function or a launch: it takes as many arguments, with one more axis."""

    function: Value


@dataclass(frozen=True, slots=True, eq=False)
class Class(Value):
    """A class of the project."""

    node: ast.ClassDef
    chunk: Chunk
    frame: Frame
    bases: tuple[Value, ...] = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Class) and self.node is other.node and self.frame is other.frame

    def __hash__(self) -> int:
        return hash((id(self.node), id(self.frame)))


@dataclass(frozen=True, slots=True)
class Instance(Value):
    """An object of a project class. `arguments` is None when the construction is not in view (`self`)."""

    cls: Class
    arguments: tuple[Value, ...] | None = None
    keywords: tuple[tuple[str, Value], ...] = ()


@dataclass(frozen=True, slots=True)
class NamedTupleClass(Value):
    """A class made by `collections.namedtuple` or `typing.NamedTuple`."""

    name: str
    fields: tuple[str, ...]
    defaults: tuple[tuple[str, Value], ...] = ()


@dataclass(frozen=True, slots=True)
class NamedTuple(Value):
    """A named tuple: for JAX a node of its own kind with the fields as children."""

    cls: NamedTupleClass
    items: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Record(Value):
    """What a kernel sees of a registered dataclass: an object with the same fields, holding Refs."""

    cls: Class
    items: tuple[tuple[str, Value], ...]

    def get(self, name: str) -> Value | None:
        """The field called `name`."""
        return next((value for key, value in self.items if key == name), None)


@dataclass(frozen=True, slots=True)
class OneOf(Value):
    """One of several values; never empty, never nested. Made by `join`."""

    alternatives: tuple[Value, ...]


UNKNOWN = Unknown()
NEVER = Never()
NONE = Nothing()
SOMETHING = Something()
ARRAY = Array()
SCALAR = Array(shape=(), weak=True, traced=False)
"""A Python number."""


def alternatives(value: Value) -> tuple[Value, ...]:
    """The values that `value` may be, one by one."""
    return value.alternatives if isinstance(value, OneOf) else (value,)


def is_bounded(value: Value) -> bool:
    """Whether `value` has few enough parts to be walked, compared and hashed; what stands in it twice counts twice."""
    stack = [value]
    left = MAX_PARTS
    while stack and left >= 0:
        parts = _parts(stack.pop())
        left -= len(parts)
        stack += parts
    return left >= 0


def _parts(value: Value) -> tuple[Value, ...]:
    match value:
        case Sequence(items=items) | NamedTuple(items=items):
            return items
        case Mapping(items=pairs) | Record(items=pairs):
            return tuple(item for _, item in pairs)
        case Iterator(items=given):
            return given or ()
        case Constructed(arguments=pairs) | Decorator(arguments=pairs):
            return tuple(item for _, item in pairs)
        case Partial(arguments=items, keywords=pairs) | Scoped(arguments=items, keywords=pairs):
            return (value.function, *items, *(item for _, item in pairs))
        case Instance(arguments=given, keywords=pairs):
            return (*(given or ()), *(item for _, item in pairs))
        case Bound(function=function, receiver=receiver):
            return (function, receiver)
        case Batched(function=function):
            return (function,)
        case OneOf(alternatives=values):
            return values
        case _:
            return ()


def join(values: Iterable[Value]) -> Value:
    """The value that is one of `values`; Never adds nothing; plain Unknown absorbs everything."""
    given = tuple(values)
    if len(given) == 1:
        return given[0]
    seen: dict[Value, None] = {}
    for value in given:
        for alternative in alternatives(value):
            if alternative == UNKNOWN:
                return UNKNOWN
            if not isinstance(alternative, Never):
                seen[alternative] = None
    merged = _merge_arrays(tuple(seen))
    if not merged:
        return NEVER
    if len(merged) == 1:
        return merged[0]
    return OneOf(merged) if len(merged) <= MAX_ALTERNATIVES else UNKNOWN


def _merge_arrays(values: tuple[Value, ...]) -> tuple[Value, ...]:
    """Several arrays are one array of which less is known: the paths of a kernel differ in values, not in trees."""
    arrays = [value for value in values if isinstance(value, Array)]
    if len(arrays) < 2:
        return values
    first = arrays[0]
    merged = Array(
        shape=first.shape if all(array.shape == first.shape for array in arrays) else None,
        dtype=first.dtype if all(array.dtype == first.dtype for array in arrays) else "",
        weak=all(array.weak for array in arrays),
        origin=first.origin if all(array.origin is first.origin for array in arrays) else None,
        whole=first.whole if all(array.whole == first.whole for array in arrays) else None,
        traced=any(array.traced for array in arrays),
        host=any(array.host for array in arrays),
        staged=all(array.staged for array in arrays),
        outside=all(array.outside for array in arrays),
    )
    position = values.index(first)
    others = [value for value in values if not isinstance(value, Array)]
    return (*others[:position], merged, *others[position:])


def may_be_none(value: Value) -> bool:
    """Whether `value` could be the object None."""
    return any(isinstance(alternative, (Unknown, Nothing)) for alternative in alternatives(value))


def is_none(value: Value) -> bool:
    """Whether `value` is the object None for certain."""
    return isinstance(value, Nothing)


def foreign_type(value: Value) -> str:
    """The type of an object that JAX does not accept as a result, such as `str`; empty for any other value."""
    match value:
        case NotJax(type_name=type_name):
            return type_name
        case Constant(value=(str() | bytes()) as constant):
            return type(constant).__name__
        case Constant(value=constant) if constant is Ellipsis:
            return "ellipsis"
        case _:
            return ""


def truth(value: Value) -> bool | None:
    """Whether `value` is true in an `if`; None when that is not known."""
    answers = {_truth_of_one(alternative) for alternative in alternatives(value)}
    return answers.pop() if len(answers) == 1 else None


def _truth_of_one(value: Value) -> bool | None:
    match value:
        case Constant(value=constant):
            return bool(constant)
        case Nothing():
            return False
        case Sequence(items=items) | Mapping(items=items):
            return bool(items)
        case Function() | Class() | Partial() | Bound() | Ref() | Decorator() | Launched() | Batched() | Scoped():
            return True
        case _:
            return None


def unshaped(value: Value) -> Value:
    """A value of which the tree and the dtypes are known, but not the shapes of its arrays."""
    match value:
        case Array(dtype=dtype, staged=staged):
            return Array(dtype=dtype, staged=staged)
        case Sequence(items=items, is_list=is_list):
            return Sequence(tuple(map(unshaped, items)), is_list)
        case Mapping(items=pairs):
            return Mapping(tuple((key, unshaped(item)) for key, item in pairs))
        case Nothing():
            return value
        case _:
            return UNKNOWN


def pytree(value: Value) -> str | None:
    """How JAX prints the tree of `value` inside `PyTreeDef(...)`: `*`, `(*, None)`, `{'a': *}`; None when unknown."""
    match value:
        case Array() | Ref():
            return "*"
        case Constant(value=constant) if isinstance(constant, (bool, int, float, complex)):
            return "*"
        case Nothing():
            return "None"
        case Sequence(items=items, is_list=is_list):
            children = _pytrees(items)
            if children is None:
                return None
            inside = ", ".join(children)
            if is_list:
                return f"[{inside}]"
            return f"({inside},)" if len(children) == 1 else f"({inside})"
        case Mapping(items=pairs):
            return _mapping_pytree(pairs)
        case NamedTuple(cls=cls, items=items):
            children = _pytrees(items)
            return None if children is None else f"CustomNode(namedtuple[{cls.name}], [{', '.join(children)}])"
        case OneOf(alternatives=values):
            trees = {pytree(alternative) for alternative in values}
            return trees.pop() if len(trees) == 1 else None
        case _:
            return None


def _pytrees(values: Iterable[Value]) -> list[str] | None:
    trees = [pytree(value) for value in values]
    known = [tree for tree in trees if tree is not None]
    return known if len(known) == len(trees) else None


def _mapping_pytree(pairs: tuple[tuple[Any, Value], ...]) -> str | None:
    try:
        ordered = sorted(dict(pairs).items())
    except TypeError:  # keys that cannot be ordered; JAX refuses them
        return None
    children = _pytrees(child for _, child in ordered)
    if children is None:
        return None
    return "{" + ", ".join(f"{key!r}: {tree}" for (key, _), tree in zip(ordered, children, strict=True)) + "}"


def has_leaves(value: Value) -> bool:
    """Whether `value` has at least one leaf for certain: `(None, ())` has none."""
    match value:
        case Nothing() | Unknown() | Never() | Something() | Instance():
            return False
        case Sequence(items=items) | NamedTuple(items=items):
            return any(has_leaves(item) for item in items)
        case Mapping(items=pairs):
            return any(has_leaves(child) for _, child in pairs)
        case OneOf(alternatives=values):
            return all(has_leaves(alternative) for alternative in values)
        case _:
            return True


def is_leafless(value: Value) -> bool:
    """Whether `value` is made of None and empty containers only."""
    match value:
        case Nothing():
            return True
        case Sequence(items=items) | NamedTuple(items=items):
            return all(is_leafless(item) for item in items)
        case Mapping(items=pairs):
            return all(is_leafless(child) for _, child in pairs)
        case _:
            return False

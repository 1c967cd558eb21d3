"""What calls of external functions mean: JAX's control flow, wrappers and constructors, and the builtins."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pallas_lsp.semantics import arithmetic, members
from pallas_lsp.semantics.jax_api import (
    CANONICAL_MODULES,
    CONSTRUCTORS,
    DESCRIPTOR_METHODS,
    ENTRY_POINTS,
    JAX_ARRAY_TYPES,
    MOSAIC_GPU,
    PALLAS,
    PASSES_THROUGH,
    PASSES_THROUGH_FACTORIES,
    REF_METHODS,
    TPU,
    TRITON,
    VIEW_METHODS,
    EntryPoint,
    Result,
    canonical,
    result_of,
)
from pallas_lsp.semantics.launches import Launch, scratch_ref
from pallas_lsp.semantics.values import (
    NEVER,
    NONE,
    SCALAR,
    SOMETHING,
    UNKNOWN,
    Array,
    Bound,
    Class,
    Constant,
    Constructed,
    Decorator,
    External,
    Function,
    Instance,
    Iterator,
    Launched,
    Mapping,
    NamedTuple,
    NamedTupleClass,
    NotJax,
    Partial,
    Ref,
    Role,
    Scoped,
    Sequence,
    Value,
    View,
    alternatives,
    join,
    truth,
)

if TYPE_CHECKING:
    from pallas_lsp.semantics.frames import Frame
    from pallas_lsp.semantics.interpreter import Arguments, Interpreter

MAX_RANGE = 64
"""A longer range is not spread."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call of an external function."""

    interpreter: Interpreter
    name: str
    arguments: Arguments
    node: ast.AST
    frame: Frame

    def get(self, name: str, position: int | None = None) -> Value | None:
        """The argument given as `name` or at `position`."""
        return self.arguments.get(name, position)

    def run(self, function: Value | None, *positional: Value) -> Value:
        """What calling one of the arguments gives."""
        if function is None:
            return UNKNOWN
        return self.interpreter.call(function, self._arguments(positional), self.node, self.frame)

    def _arguments(self, positional: tuple[Value, ...]) -> Arguments:
        return type(self.arguments)(positional)


def external(name: str) -> Value:
    """The external object of that import path."""
    module, _, last = name.rpartition(".")
    if not module or name in CANONICAL_MODULES:
        return External(canonical(name))
    return members.attribute(External(canonical(module)), last)


def builtin(name: str) -> Value:
    """What a name means that no scope binds."""
    return External(f"builtins.{name}") if hasattr(builtins, name) else NEVER


def exports(module: str, name: str) -> bool:
    """Whether `from module import *` is taken to bind `name`; only the tables can tell."""
    path = canonical(f"{module}.{name}")
    return path in ENTRY_POINTS or path in CONSTRUCTORS or path in _HANDLERS or result_of(path) is not None


def partial_of(function: Value, rest: list[tuple[str, Value]]) -> Value:
    """The partial that `functools.partialmethod` makes on access."""
    return Partial(
        function,
        tuple(value for key, value in rest if key.isdigit()),
        tuple((key, value) for key, value in rest if not key.isdigit()),
    )


def call(interpreter: Interpreter, name: str, arguments: Arguments, node: ast.AST, frame: Frame) -> Value:
    """What a call of the external `name` gives."""
    request = Call(interpreter, name, arguments, node, frame)
    handler = _HANDLERS.get(name)
    if handler is not None:
        return handler(request)
    row = ENTRY_POINTS.get(name)
    if row is not None:
        return _enter(request, row)
    if name in PASSES_THROUGH:
        return arguments.positional[0] if arguments.positional else Decorator("passes through", (), node)
    if name in PASSES_THROUGH_FACTORIES:
        return Decorator("passes through", (), node)
    if name in CONSTRUCTORS:
        return _constructed(request, CONSTRUCTORS[name])
    module, _, last = name.rpartition(".")
    if module in ("Ref", "AsyncCopyDescriptor", "array", "dict"):
        return _METHODS[module](request, last)
    if last in JAX_ARRAY_TYPES and module in ("jax.numpy", "numpy"):
        return Array((), last, origin=node, traced=module != "numpy")
    return _plain_result(request)


def _plain_result(request: Call) -> Value:
    result = result_of(request.name)
    if (
        result is None
        or result in (Result.NONE, Result.DESCRIPTOR, Result.SOMETHING)
        or request.name.startswith("jax.experimental")
    ):
        request.interpreter.escape(request.arguments.values(), request.node)
    match result:
        case Result.NONE:
            return NONE
        case Result.ARRAY:
            return Array(origin=request.node)
        case Result.HOST_ARRAY:
            return Array(origin=request.node, traced=False, host=True)
        case Result.SCALAR:
            return Array((), "int32", origin=request.node)
        case Result.NUMBER:
            return SCALAR
        case Result.EMPTY_LIST:
            return Sequence((), is_list=True)
        case Result.DESCRIPTOR:
            return Constructed("AsyncCopyDescriptor", (), request.node)
        case Result.NOT_JAX:
            return NotJax(request.name.rpartition(".")[2])
        case Result.SOMETHING:
            return SOMETHING
        case None:
            return UNKNOWN


# -- entry points ----------------------------------------------------------------------------------------------------


def _enter(request: Call, row: EntryPoint) -> Value:
    """A call of an API that takes a kernel: a launch, or a decorator that waits for the kernel."""
    named = bind_names(request.arguments, tuple(row.parameters), _spellings(row))
    if not row.function or row.function not in named:
        if row.function and not row.factory and not request.arguments.complete:
            return UNKNOWN
        return Decorator(row.name, tuple(named.items()), request.node, request.arguments.complete)
    return _launch(request, row, named, request.arguments.complete)


def _launch(request: Call, row: EntryPoint, named: dict[str, Value], complete: bool) -> Value:
    interpreter = request.interpreter
    launch = Launch(
        row, request.node, request.frame.chunk, request.frame.module, named, complete, len(interpreter.launches)
    )
    interpreter.launches.append(launch)
    launched = Launched(launch.index)
    return Sequence((launched, UNKNOWN)) if row.pair else launched


def _spellings(row: EntryPoint) -> dict[str, str]:
    """Every spelling of a parameter in any JAX version, with the one that the row uses."""
    spellings: dict[str, str] = {}
    for group in (*row.parameters, row.outputs, row.scratch):
        first, *others = group.split("|")
        if group == row.outputs or group == row.scratch or first == row.function:
            spellings.update(dict.fromkeys(others, first))
    if row.outputs:
        spellings.update(dict.fromkeys(("out_shape", "out_type", "out_types"), "outputs"))
        spellings[row.outputs.split("|")[0]] = "outputs"
    if row.scratch:
        spellings.update(dict.fromkeys(("scratch_shapes", "scratch_types"), "scratch"))
    return spellings


def bind_names(arguments: Arguments, parameters: tuple[str, ...], spellings: dict[str, str]) -> dict[str, Value]:
    """The arguments of a call by parameter name, spelled as the table spells it."""
    named: dict[str, Value] = {}
    for group, value in zip(parameters, arguments.positional, strict=False):
        first = group.split("|")[0]
        named[spellings.get(first, first)] = value
    for name, value in arguments.keywords:
        named[spellings.get(name, name)] = value
    return named


def call_decorator(
    interpreter: Interpreter, decorator: Decorator, arguments: Arguments, node: ast.AST, frame: Frame
) -> Value:
    """What `pl.when(condition)` and its like do with the function that they are given."""
    function = arguments.positional[0] if arguments.positional else None
    if decorator.name == "passes through":
        return UNKNOWN if function is None else function
    if decorator.name == f"{PALLAS}.with_scoped":
        positional = tuple(value for key, value in decorator.arguments if key.isdigit())
        keywords = tuple((key, value) for key, value in decorator.arguments if not key.isdigit())
        return UNKNOWN if function is None else Scoped(function, positional, keywords)
    row = ENTRY_POINTS.get(decorator.name)
    if row is None or function is None:
        interpreter.escape(arguments.values(), node)
        return UNKNOWN
    request = Call(interpreter, row.name, arguments, decorator.node, frame)
    named = dict(decorator.arguments)
    if row.function:
        return _launch(request, row, {**named, row.function: function}, decorator.complete)
    launched = _launch(request, row, {**named, "function": function}, decorator.complete)
    assert isinstance(launched, Launched)
    launch = interpreter.launches[launched.index]
    condition = named.get("condition")
    if row.short_name == "when" and condition is not None and truth(condition) is not None:
        if truth(condition):
            launch.run(interpreter, None)
        else:
            launch.never_runs = True
    else:
        interpreter.perhaps(lambda: launch.run(interpreter, None))
    carry = named.get(row.carry) if row.carry else None
    if carry is None or carry == NONE:
        return NONE
    return generalised(carry)


def generalised(value: Value) -> Value:
    """The value of a loop carry after some iterations: the tree of the first, other leaves."""
    match value:
        case Constant(value=bool() | int() | float() | complex()):
            return Array((), "")
        case Array(shape=shape, dtype=dtype):
            return Array(shape, dtype)
        case Sequence(items=items, is_list=is_list):
            return Sequence(tuple(generalised(item) for item in items), is_list)
        case Mapping(items=pairs):
            return Mapping(tuple((key, generalised(item)) for key, item in pairs))
        case NamedTuple(cls=cls, items=items):
            return NamedTuple(cls, tuple(generalised(item) for item in items))
        case _:
            return value


def stacked(value: Value) -> Value:
    """The value of results that a scan or map has stacked: the same tree, other shapes."""
    match value:
        case Constant(value=bool() | int() | float() | complex()) | Array():
            return Array()
        case Sequence(items=items, is_list=is_list):
            return Sequence(tuple(stacked(item) for item in items), is_list)
        case Mapping(items=pairs):
            return Mapping(tuple((key, stacked(item)) for key, item in pairs))
        case NamedTuple(cls=cls, items=items):
            return NamedTuple(cls, tuple(stacked(item) for item in items))
        case _:
            return value


# -- control flow ----------------------------------------------------------------------------------------------------


def _fori_loop(request: Call) -> Value:
    carry = request.get("init_val", 3) or UNKNOWN
    body = request.get("body_fun", 2)
    request.interpreter.perhaps(lambda: request.run(body, Array((), "int32"), generalised(carry)))
    return generalised(carry)


def _while_loop(request: Call) -> Value:
    carry = request.get("init_val", 2) or UNKNOWN
    condition, body = request.get("cond_fun", 0), request.get("body_fun", 1)
    request.interpreter.perhaps(
        lambda: (request.run(condition, generalised(carry)), request.run(body, generalised(carry)))
    )
    return generalised(carry)


def _scan(request: Call) -> Value:
    carry = request.get("init", 1) or UNKNOWN
    inputs = request.get("xs", 2) or NONE
    results: list[Value] = []
    request.interpreter.perhaps(
        lambda: results.append(request.run(request.get("f", 0), generalised(carry), stacked(inputs)))
    )
    outputs: Value = SOMETHING
    match results[0]:
        case Sequence(items=(_, given)):
            outputs = stacked(given)
    return Sequence((generalised(carry), outputs))


def _cond(request: Call) -> Value:
    branches = (request.get("true_fun", 1), request.get("false_fun", 2))
    return _either(request, branches, request.arguments.positional[3:])


def _switch(request: Call) -> Value:
    branches = members.items_of(request.get("branches", 1) or UNKNOWN)
    if branches is None:
        request.interpreter.escape(request.arguments.values(), request.node)
        return UNKNOWN
    return _either(request, branches, request.arguments.positional[2:])


def _either(request: Call, branches: tuple[Value | None, ...], operands: tuple[Value, ...]) -> Value:
    results: list[Value] = []
    for branch in branches:
        request.interpreter.perhaps(lambda branch=branch: results.append(request.run(branch, *operands)))
    return join(results) if request.arguments.complete else UNKNOWN


def _lax_map(request: Call) -> Value:
    results: list[Value] = []
    request.interpreter.perhaps(
        lambda: results.append(request.run(request.get("f", 0), stacked(request.get("xs", 1) or UNKNOWN)))
    )
    return stacked(results[0])


def _run_scoped(request: Call) -> Value:
    function, *types = request.arguments.positional or (None,)
    function = function or request.get("f")
    scratch = tuple(scratch_ref(value, index) for index, value in enumerate(types))
    keywords = tuple(
        (name, scratch_ref(value, len(scratch) + index))
        for index, (name, value) in enumerate(request.arguments.keywords)
        if name not in ("collective_axes", "f")
    )
    if function is None:
        return UNKNOWN
    arguments = type(request.arguments)(scratch, keywords, request.arguments.complete)
    return request.interpreter.call(function, arguments, request.node, request.frame)


def _with_scoped(request: Call) -> Value:
    types = [(str(index), scratch_ref(value, index)) for index, value in enumerate(request.arguments.positional)]
    types += [
        (name, scratch_ref(value, len(types)))
        for name, value in request.arguments.keywords
        if name != "collective_axes"
    ]
    return Decorator(f"{PALLAS}.with_scoped", tuple(types), request.node, request.arguments.complete)


def _warp_map(request: Call) -> Value:
    """It takes the function at once, where its siblings return a decorator."""
    decorator = Decorator(request.name, (), request.node)
    return call_decorator(request.interpreter, decorator, request.arguments, request.node, request.frame)


def _tree_map(request: Call) -> Value:
    function, *trees = request.arguments.positional or (UNKNOWN,)
    return _map_over(request, function, trees) if trees and request.arguments.complete else UNKNOWN


def _map_over(request: Call, function: Value, trees: list[Value]) -> Value:
    first = trees[0]
    match first:
        case Sequence(items=items) | NamedTuple(items=items):
            columns = [members.items_of(tree) for tree in trees]
            if any(column is None or len(column) != len(items) for column in columns):
                return SOMETHING
            results = tuple(
                _map_over(request, function, [column[index] for column in columns if column is not None])
                for index in range(len(items))
            )
            return Sequence(results, first.is_list) if isinstance(first, Sequence) else NamedTuple(first.cls, results)
        case Mapping(items=pairs):
            rows = []
            for key, _ in pairs:
                values = [tree.get(key) if isinstance(tree, Mapping) else None for tree in trees]
                known = [value for value in values if value is not None]
                if len(known) != len(values):
                    return SOMETHING
                rows.append((key, _map_over(request, function, known)))
            return Mapping(tuple(rows))
        case Array() | Ref() | View():
            return request.run(function, *trees)
        case Constant(value=bool() | int() | float() | complex() | str()):
            return request.run(function, *trees)
        case _ if first == NONE:
            return NONE
        case _:
            request.interpreter.perhaps(lambda: request.run(function, *(UNKNOWN for _ in trees)))
            return UNKNOWN


# -- Python ----------------------------------------------------------------------------------------------------------


def _partial(request: Call) -> Value:
    if not request.arguments.positional:
        return UNKNOWN
    function, *rest = request.arguments.positional
    return Partial(function, tuple(rest), request.arguments.keywords, request.arguments.complete)


def _partialmethod(request: Call) -> Value:
    numbered = [(str(index), value) for index, value in enumerate(request.arguments.positional)]
    return Decorator("functools.partialmethod", (*numbered, *request.arguments.keywords), request.node)


def _named_tuple_class(request: Call) -> Value:
    name, fields = request.get("typename", 0), request.get("field_names", 1)
    match name, fields:
        case Constant(value=str() as text), Constant(value=str() as names):
            return NamedTupleClass(text, tuple(names.replace(",", " ").split()))
        case Constant(value=str() as text), Sequence(items=items):
            known = [item.value for item in items if isinstance(item, Constant) and isinstance(item.value, str)]
            pairs = [
                item.items[0].value
                for item in items
                if isinstance(item, Sequence) and item.items and isinstance(item.items[0], Constant)
            ]
            if len(known) == len(items) or len(pairs) == len(items):
                return NamedTupleClass(text, tuple(known or pairs))
    return UNKNOWN


def _sequence(is_list: bool) -> Callable[[Call], Value]:
    def convert(request: Call) -> Value:
        if not request.arguments.positional:
            return Sequence((), is_list)
        items = members.items_of(request.arguments.positional[0])
        return SOMETHING if items is None else Sequence(items, is_list)

    return convert


def _dict(request: Call) -> Value:
    pairs: list[tuple[object, Value]] = []
    for source in request.arguments.positional:
        if not isinstance(source, Mapping):
            return SOMETHING
        pairs.extend(source.items)
    if not request.arguments.complete:
        return SOMETHING
    return Mapping(tuple(dict([*pairs, *request.arguments.keywords]).items()))


def _zip(request: Call) -> Value:
    columns = [members.items_of(value) for value in request.arguments.positional]
    known = [column for column in columns if column is not None]
    if not request.arguments.complete or len(known) != len(columns):
        return Iterator(None)
    return Iterator(tuple(Sequence(row) for row in zip(*known, strict=False)))


def _enumerate(request: Call) -> Value:
    items = members.items_of(request.arguments.positional[0]) if request.arguments.positional else None
    if items is None or len(request.arguments.positional) > 1 or request.arguments.keywords:
        return Iterator(None)
    return Iterator(tuple(Sequence((Constant(index), item)) for index, item in enumerate(items)))


def _range(request: Call) -> Value:
    bounds = [
        value.value
        for value in request.arguments.positional
        if isinstance(value, Constant) and isinstance(value.value, int)
    ]
    if len(bounds) != len(request.arguments.positional) or not bounds:
        return Iterator(None)
    try:
        numbers = range(*bounds)
    except ValueError:
        return Iterator(None)
    return Iterator(tuple(Constant(number) for number in numbers)) if len(numbers) <= MAX_RANGE else Iterator(None)


def _reversed(request: Call) -> Value:
    items = members.items_of(request.arguments.positional[0]) if request.arguments.positional else None
    return Iterator(None if items is None else items[::-1])


def _len(request: Call) -> Value:
    items = members.items_of(request.arguments.positional[0]) if request.arguments.positional else None
    return SCALAR if items is None else Constant(len(items))


def _getattr(request: Call) -> Value:
    match request.arguments.positional:
        case (owner, Constant(value=str() as name), *default):
            found = join(request.interpreter.attribute(one, name) for one in alternatives(owner))
            return join((found, *default)) if default else found
    return UNKNOWN


def _isinstance(request: Call) -> Value:
    return Array((), "bool", traced=False)


def _callable(request: Call) -> Value:
    match request.arguments.positional:
        case (Function() | Partial() | Bound() | Class() | Decorator() | Scoped(),):
            return Constant(True)
        case (Constant() | Sequence() | Mapping(),):
            return Constant(False)
        case _:
            return Array((), "bool", traced=False)


def _map_builtin(request: Call) -> Value:
    function, *columns = request.arguments.positional or (UNKNOWN,)
    known = [items for items in map(members.items_of, columns) if items is not None]
    if len(known) != len(columns) or not known or min(map(len, known)) > MAX_RANGE:
        request.interpreter.escape(request.arguments.values(), request.node)
        return Iterator(None)
    return Iterator(tuple(request.run(function, *row) for row in zip(*known, strict=False)))


def _unknown_but_not_none(request: Call) -> Value:
    request.interpreter.escape(request.arguments.values(), request.node)
    return SOMETHING


def _type_of(request: Call) -> Value:
    match request.arguments.positional:
        case (Instance(cls=cls),):
            return cls
        case _:
            return UNKNOWN


# -- arrays ----------------------------------------------------------------------------------------------------------


def _is_host(request: Call) -> bool:
    return request.name.startswith("numpy.")


def _made(request: Call, shape: tuple[int | None, ...] | None, dtype: str) -> Value:
    host = _is_host(request)
    return Array(shape, dtype, origin=request.node, traced=not host, host=host)


def _filled(request: Call) -> Value:
    position = 2 if request.name.endswith(".full") else 1
    default = "" if position == 2 else "float64" if _is_host(request) else "float32"
    given = request.get("dtype", position)
    dtype = arithmetic.dtype_name(given) if given is not None else default
    return _made(request, arithmetic.shape_of(request.get("shape", 0)), dtype)


def _arange(request: Call) -> Value:
    sizes = request.arguments.positional
    given = request.get("dtype", 3)
    dtype = arithmetic.dtype_name(given) if given is not None else ""
    shape = arithmetic.shape_of(sizes[0]) if len(sizes) == 1 else (None,)
    return _made(request, shape or (None,), dtype)


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
        return _made(request, () if array is not None else None, arithmetic.dtype_name(given))
    return _made(request, array.shape, array.dtype if given is None else arithmetic.dtype_name(given))


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
    return _made(request, None, "")


def _broadcast_to(request: Call) -> Value:
    array = arithmetic.as_array(request.get("array", 0) or UNKNOWN)
    return _made(request, arithmetic.shape_of(request.get("shape", 1)), "" if array is None else array.dtype)


def _array_method(request: Call, name: str) -> Value:
    array, *rest = request.arguments.positional or (UNKNOWN,)
    if not isinstance(array, Array):
        return Array()
    made = Array(origin=request.node, traced=array.traced, host=array.host)
    match name:
        case "astype":
            dtype = arithmetic.dtype_name(rest[0] if rest else request.get("dtype"))
            return Array(array.shape, dtype, origin=request.node, traced=array.traced, host=array.host)
        case "reshape":
            sizes = rest[0] if len(rest) == 1 else Sequence(tuple(rest))
            shape = arithmetic.shape_of(sizes)
            shape = None if shape is None or any(size is not None and size < 0 for size in shape) else shape
            return Array(shape, array.dtype, origin=request.node, traced=array.traced, host=array.host)
        case "sum" | "max" | "min" | "mean" | "prod" | "any" | "all" | "std" | "var" | "argmax" | "argmin":
            whole = not rest and not request.arguments.keywords
            keeps = array.dtype if "float" in array.dtype and not name.startswith("a") else ""
            return Array(() if whole else None, keeps, origin=request.node, traced=array.traced, host=array.host)
        case "copy" | "block_until_ready" | "__array__":
            return array
        case "item" | "tolist" | "tobytes":
            return SOMETHING
        case _:
            return made


def _ref_method(request: Call, name: str) -> Value:
    owner, *rest = request.arguments.positional or (UNKNOWN,)
    if name in VIEW_METHODS:
        return View(owner.ref if isinstance(owner, View) else owner) if isinstance(owner, (Ref, View)) else UNKNOWN
    whole = isinstance(owner, Ref) and not request.arguments.keywords
    ellipsis = Constant(Ellipsis)
    match name:
        case "__setitem__":
            request.interpreter.store_item(
                owner, rest[0] if rest else UNKNOWN, rest[1] if len(rest) > 1 else UNKNOWN, request.node
            )
        case "set" | "swap" | "addupdate":
            index = ellipsis if whole and len(rest) == 1 else rest[-1] if len(rest) == 2 else UNKNOWN
            stored = rest[0] if rest else UNKNOWN
            request.interpreter.store_item(owner, index, stored if name != "addupdate" else UNKNOWN, request.node)
        case "__getitem__":
            return members.item(owner, rest[0] if rest else UNKNOWN, request.node)
    if REF_METHODS[name] is Result.NONE:
        return NONE
    complete = isinstance(owner, Ref) and whole and len(rest) == (1 if name == "swap" else 0)
    if complete and isinstance(owner, Ref):
        return Array(owner.shape, owner.dtype, origin=request.node, whole=owner)
    return Array(origin=request.node)


def _descriptor_method(request: Call, name: str) -> Value:
    return NONE if DESCRIPTOR_METHODS[name] is Result.NONE else UNKNOWN


def _dict_method(request: Call, name: str) -> Value:
    owner, *rest = request.arguments.positional
    assert isinstance(owner, Mapping)
    match name:
        case "items":
            return Iterator(tuple(Sequence((Constant(key), value)) for key, value in owner.items))
        case "keys":
            return Iterator(tuple(Constant(key) for key, _ in owner.items))
        case "values":
            return Iterator(tuple(value for _, value in owner.items))
    match rest:
        case [Constant(value=key), *default]:
            found = owner.get(key)
            return found if found is not None else default[0] if default else NONE
    return UNKNOWN


_METHODS: dict[str, Callable[[Call, str], Value]] = {
    "Ref": _ref_method,
    "AsyncCopyDescriptor": _descriptor_method,
    "array": _array_method,
    "dict": _dict_method,
}


def _load(request: Call) -> Value:
    """`pltpu.load(ref)`, `jax.ref.get(ref)`, `pl.load(ref, idx)`: the whole Ref when nothing else is given."""
    match request.arguments.positional:
        case (Ref() as ref,) if not request.arguments.keywords:
            return Array(ref.shape, ref.dtype, origin=request.node, whole=ref)
        case (Ref() | View() as ref, index):
            return members.item(ref, index, request.node)
        case _:
            return Array(origin=request.node)


def _store(request: Call) -> Value:
    """`pltpu.store(ref, value)`, `jax.ref.set(ref, idx, value)`, `pl.store(ref, idx, value)`."""
    match request.arguments.positional:
        case (owner, value):
            whole = not request.arguments.keywords
            request.interpreter.store_item(owner, Constant(Ellipsis) if whole else UNKNOWN, value, request.node)
        case (owner, index, value):
            request.interpreter.store_item(owner, index, value, request.node)
        case (owner, *_):
            request.interpreter.store_item(owner, UNKNOWN, UNKNOWN, request.node)
    return NONE


def _swap(request: Call) -> Value:
    """`jax.ref.swap(ref, idx, value)`: stores, and gives what was there before."""
    match request.arguments.positional:
        case (owner, index, value, *_):
            request.interpreter.store_item(owner, index, value, request.node)
            whole = isinstance(owner, Ref) and members.is_whole_index(index)
            return Array(origin=request.node, whole=owner if whole and isinstance(owner, Ref) else None)
    request.interpreter.escape(request.arguments.values(), request.node)
    return Array(origin=request.node)


def _add_update(request: Call) -> Value:
    """`jax.ref.addupdate(ref, idx, value)`."""
    if request.arguments.positional:
        index = request.get("idx", 1) or UNKNOWN
        request.interpreter.store_item(request.arguments.positional[0], index, UNKNOWN, request.node)
    return NONE


def _copy_whole(request: Call) -> Value:
    """`pltpu.sync_copy(source, target)`: the target is stored, all of it when it is a Ref."""
    target = request.get("dst_ref", 1)
    if target is not None:
        request.interpreter.store_item(target, Constant(Ellipsis), UNKNOWN, request.node)
    return NONE


def _constructed(request: Call, parameters: tuple[str, ...]) -> Value:
    positional = [
        (parameters[index] if index < len(parameters) else str(index), value)
        for index, value in enumerate(request.arguments.positional)
    ]
    return Constructed(request.name, (*positional, *request.arguments.keywords), request.node)


def _type_of_array(request: Call) -> Value:
    array = arithmetic.as_array(request.arguments.positional[0]) if request.arguments.positional else None
    if array is None:
        return UNKNOWN
    dtype = External(f"jax.numpy.{array.dtype}") if array.dtype else UNKNOWN
    return Constructed("jax.ShapeDtypeStruct", (("shape", arithmetic.shape_value(array.shape)), ("dtype", dtype)))


def _new_ref(request: Call) -> Value:
    array = arithmetic.as_array(request.arguments.positional[0]) if request.arguments.positional else None
    return Ref(Role.UNKNOWN, -1, "", None if array is None else array.shape, "" if array is None else array.dtype)


def _rows(names: str, handler: Callable[[Call], Value], *modules: str) -> dict[str, Callable[[Call], Value]]:
    return {f"{module}.{name}": handler for module in modules for name in names.split()}


_HANDLERS: dict[str, Callable[[Call], Value]] = {
    "jax.lax.fori_loop": _fori_loop,
    "jax.lax.while_loop": _while_loop,
    "jax.lax.scan": _scan,
    "jax.lax.cond": _cond,
    "jax.lax.switch": _switch,
    "jax.lax.map": _lax_map,
    "jax.tree.map": _tree_map,
    "jax.typeof": _type_of_array,
    "jax.new_ref": _new_ref,
    f"{PALLAS}.run_scoped": _run_scoped,
    f"{PALLAS}.with_scoped": _with_scoped,
    f"{MOSAIC_GPU}.warp_map": _warp_map,
    f"{TPU}.sync_copy": _copy_whole,
    f"{PALLAS}.sync_copy": _copy_whole,
    **_rows("load", _load, TPU, PALLAS, TRITON, MOSAIC_GPU),
    **_rows("store", _store, TPU, PALLAS, TRITON),
    "jax.ref.get": _load,
    "jax.ref.set": _store,
    "jax.ref.swap": _swap,
    "jax.ref.addupdate": _add_update,
    f"{PALLAS}.swap": _swap,
    "functools.partial": _partial,
    "functools.partialmethod": _partialmethod,
    "collections.namedtuple": _named_tuple_class,
    "typing.NamedTuple": _named_tuple_class,
    "builtins.tuple": _sequence(is_list=False),
    "builtins.list": _sequence(is_list=True),
    "builtins.sorted": _unknown_but_not_none,
    "builtins.dict": _dict,
    "builtins.zip": _zip,
    "builtins.enumerate": _enumerate,
    "builtins.range": _range,
    "builtins.reversed": _reversed,
    "builtins.map": _map_builtin,
    "builtins.len": _len,
    "builtins.getattr": _getattr,
    "builtins.isinstance": _isinstance,
    "builtins.hasattr": _isinstance,
    "builtins.issubclass": _isinstance,
    "builtins.callable": _callable,
    "builtins.type": _type_of,
    "builtins.set": lambda request: NotJax("set"),
    "builtins.frozenset": lambda request: NotJax("frozenset"),
    **_rows("zeros ones empty full", _filled, "jax.numpy", "numpy", "jax.lax"),
    **_rows("zeros_like ones_like empty_like full_like", _like, "jax.numpy", "numpy", "jax.lax"),
    **_rows("asarray array", _as_array, "jax.numpy", "numpy"),
    **_rows(
        "exp exp2 log log1p expm1 sin cos tan tanh sqrt square abs absolute negative floor ceil round rint sign maximum"
        " minimum add subtract multiply clip relu sigmoid silu gelu softplus erf rsqrt logistic",
        _elementwise,
        "jax.numpy",
        "jax.lax",
        "jax.nn",
        "numpy",
    ),
    **_rows("arange", _arange, "jax.numpy", "numpy"),
    **_rows("where", _where, "jax.numpy", "numpy"),
    **_rows("sum max min mean prod any all", _reduction, "jax.numpy", "numpy"),
    **_rows("broadcast_to", _broadcast_to, "jax.numpy", "numpy"),
}

"""Builtins and the parts of the standard library that kernels are put together with."""

from __future__ import annotations

import ast

from pallas_lsp.semantics import arithmetic, members
from pallas_lsp.semantics.calls import Call, Handler
from pallas_lsp.semantics.classes import changed_instance, is_instance
from pallas_lsp.semantics.jax_api import result_of
from pallas_lsp.semantics.values import (
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
    Mapping,
    NamedTuple,
    NamedTupleClass,
    NotJax,
    Partial,
    Ref,
    Scoped,
    Sequence,
    Value,
    alternatives,
    join,
)

_BOOL = Array((), "bool", traced=False)

MAX_RANGE = 64
"""A longer range is not spread."""


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


def _sequence(is_list: bool) -> Handler:
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
    match request.arguments.positional:
        case (subject, Sequence(items=kinds)):
            answers = {is_instance(request.interpreter, subject, kind) for kind in kinds}
            known = True if True in answers else None if None in answers else False
        case (subject, kind):
            known = is_instance(request.interpreter, subject, kind)
        case _:
            known = None
    return _BOOL if known is None else Constant(known)


def _is_sub_dtype(request: Call) -> Value:
    match request.arguments.positional:
        case (one, External(name=name)):
            known = arithmetic.is_sub_dtype(arithmetic.dtype_name(one), name.rpartition(".")[2])
            return _BOOL if known is None else Constant(known)
        case _:
            return _BOOL


def _hasattr(request: Call) -> Value:
    match request.arguments.positional:
        case (Ref(leaf=True) | Array(traced=True), Constant(value="shape" | "dtype" | "ndim" | "at")):
            return Constant(True)
        case _:
            return _BOOL


def _callable(request: Call) -> Value:
    match request.arguments.positional:
        case (Function() | Partial() | Bound() | Class() | Decorator() | Scoped(),):
            return Constant(True)
        case (Constant() | Sequence() | Mapping(),):
            return Constant(False)
        case (External(name=name),) if result_of(name) is not None:
            return Constant(True)
        case _:
            return _BOOL


def _field(request: Call) -> Value:
    """The default of a dataclass field."""
    default, factory = request.get("default"), request.get("default_factory")
    return default if default is not None else request.run(factory)


def _replace(request: Call) -> Value:
    """`dataclasses.replace(instance, name=value)`."""
    match request.arguments.positional:
        case (Instance(arguments=tuple()) as instance,) if request.arguments.complete:
            return changed_instance(instance, request.arguments.keywords)
        case _:
            return UNKNOWN


def _replace_items(request: Call) -> Value:
    """`named_tuple._replace(name=value)`."""
    match request.arguments.positional:
        case (NamedTuple(cls=cls, items=items),) if request.arguments.complete:
            given = dict(request.arguments.keywords)
            return NamedTuple(cls, tuple(given.get(name, item) for name, item in zip(cls.fields, items, strict=True)))
        case _:
            return UNKNOWN


def _map_builtin(request: Call) -> Value:
    function, *columns = request.arguments.positional or (UNKNOWN,)
    known = [items for items in map(members.items_of, columns) if items is not None]
    if len(known) != len(columns) or not known or min(map(len, known)) > MAX_RANGE:
        request.interpreter.escape(request.arguments.values(), request.node)
        return Iterator(None)
    return Iterator(tuple(request.run(function, *row) for row in zip(*known, strict=False)))


def _extreme(request: Call) -> Value:
    """`max` and `min`: one of the arguments, or of the items of the only one."""
    positional = request.arguments.positional
    items = members.items_of(positional[0]) if len(positional) == 1 else positional
    if not items or request.arguments.keywords or not request.arguments.complete:
        return UNKNOWN
    numbers = [item.value for item in items if isinstance(item, Constant) and isinstance(item.value, (int, float))]
    if len(numbers) == len(items):
        return Constant((max if request.name == "builtins.max" else min)(numbers))
    return join(items)


def _reduce(request: Call) -> Value:
    function, items = request.get("function", 0), members.items_of(request.get("iterable", 1) or UNKNOWN)
    first = request.get("initial", 2)
    if items is None or len(items) > MAX_RANGE or not (items or first):
        request.interpreter.escape(request.arguments.values(), request.node)
        return UNKNOWN
    result, *rest = items if first is None else (first, *items)
    for item in rest:
        result = request.run(function, result, item)
    return result


def _operator(operation: ast.operator) -> Handler:
    def calculate(request: Call) -> Value:
        match request.arguments.positional:
            case (left, right):
                return arithmetic.binary(operation, left, right, request.node)
            case _:
                return UNKNOWN

    return calculate


def _set_item(request: Call) -> Value:
    match request.arguments.positional:
        case (owner, index, value):
            request.interpreter.store_item(owner, index, value, request.node)
            return NONE
        case _:
            return UNKNOWN


def _cache(request: Call) -> Value:
    """`functools.lru_cache`, as a decorator itself or as one that makes a decorator."""
    match request.arguments.positional:
        case (Function() | Partial() | Bound() as function,):
            return function
        case _:
            return Decorator("passes through", (), request.node)


def _unknown_but_not_none(request: Call) -> Value:
    request.interpreter.escape(request.arguments.values(), request.node)
    return SOMETHING


def _super(request: Call) -> Value:
    """`super()` in a method, or `super(cls, self)`."""
    match request.arguments.positional:
        case (cls, receiver):
            return Constructed("builtins.super", (("type", cls), ("object", receiver)), request.node)
        case ():
            cls = request.interpreter.lookup("__class__", request.frame)
            return Constructed("builtins.super", (("type", cls), ("object", _first_parameter(request))), request.node)
        case _:
            return UNKNOWN


def _first_parameter(request: Call) -> Value:
    """What the first parameter of the function that a call stands in holds."""
    function = request.interpreter.calls[-1] if request.interpreter.calls else None
    if not isinstance(function, ast.FunctionDef):
        return UNKNOWN
    parameters = (*function.args.posonlyargs, *function.args.args)
    return request.frame.names.get(parameters[0].arg, UNKNOWN) if parameters else UNKNOWN


def _iter(request: Call) -> Value:
    items = members.items_of(request.arguments.positional[0]) if len(request.arguments.positional) == 1 else None
    return Iterator(items)


def _type_of(request: Call) -> Value:
    match request.arguments.positional:
        case (Instance(cls=cls),):
            return cls
        case (Constant(value=value),) if value is not Ellipsis:
            return External(f"builtins.{type(value).__name__}")
        case _:
            return UNKNOWN


def dict_method(request: Call, name: str) -> Value:
    """What `mapping.name(...)` gives."""
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


HANDLERS: dict[str, Handler] = {
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
    "builtins.hasattr": _hasattr,
    "builtins.issubclass": lambda request: _BOOL,
    "jax.numpy.issubdtype": _is_sub_dtype,
    "numpy.issubdtype": _is_sub_dtype,
    "dataclasses.field": _field,
    "dataclasses.replace": _replace,
    "namedtuple._replace": _replace_items,
    "builtins.callable": _callable,
    "builtins.iter": _iter,
    "builtins.max": _extreme,
    "builtins.min": _extreme,
    "functools.reduce": _reduce,
    "functools.cache": _cache,
    "functools.lru_cache": _cache,
    "operator.setitem": _set_item,
    "operator.add": _operator(ast.Add()),
    "operator.sub": _operator(ast.Sub()),
    "operator.mul": _operator(ast.Mult()),
    "operator.truediv": _operator(ast.Div()),
    "operator.matmul": _operator(ast.MatMult()),
    "builtins.super": _super,
    "builtins.type": _type_of,
    "builtins.set": lambda request: NotJax("set"),
    "builtins.frozenset": lambda request: NotJax("frozenset"),
}
"""Builtins and the standard library."""

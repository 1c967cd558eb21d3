"""What calls of external functions mean: JAX's control flow, wrappers and constructors, and the builtins."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from pallas_lsp.semantics import arithmetic, arrays, control_flow, folding, members, observing, python_library
from pallas_lsp.semantics.arguments import Arguments
from pallas_lsp.semantics.calls import Call, Handler
from pallas_lsp.semantics.jax_api import (
    ARRAY_FUNCTIONS,
    CANONICAL_MODULES,
    CONSTRUCTORS,
    ENTRY_POINTS,
    JAX_ARRAY_TYPES,
    MOSAIC_GPU,
    PALLAS,
    PASSES_THROUGH,
    PASSES_THROUGH_FACTORIES,
    EntryPoint,
    Result,
    canonical,
    result_of,
)
from pallas_lsp.semantics.launches import Launch
from pallas_lsp.semantics.values import (
    NEVER,
    NONE,
    SCALAR,
    SOMETHING,
    UNKNOWN,
    Array,
    Batched,
    Bound,
    Constant,
    Constructed,
    Decorator,
    External,
    Function,
    Launched,
    NotJax,
    Partial,
    Scoped,
    Sequence,
    Value,
    truth,
)

if TYPE_CHECKING:
    from pallas_lsp.semantics.frames import Frame
    from pallas_lsp.semantics.interpreter import Interpreter


def external(name: str) -> Value:
    """The external object of that import path."""
    module, _, last = name.rpartition(".")
    if not module or name in CANONICAL_MODULES:
        return External(canonical(name))
    return members.attribute(External(canonical(module)), last)


def builtin(name: str) -> Value:
    """What a name means that no scope binds."""
    if name == "__debug__":
        return Constant(True)
    return External(f"builtins.{name}") if hasattr(builtins, name) else NEVER


def exports(module: str, name: str) -> bool:
    """Whether `from module import *` is taken to bind `name`; only the tables can tell."""
    path = canonical(f"{module}.{name}")
    return path in ENTRY_POINTS or path in CONSTRUCTORS or path in _HANDLERS or result_of(path) is not None


def call(interpreter: Interpreter, name: str, arguments: Arguments, node: ast.AST, frame: Frame) -> Value:
    """What a call of the external `name` gives."""
    value = _called(Call(interpreter, name, arguments, node, frame))
    if isinstance(value, Array) and name in ARRAY_FUNCTIONS:
        staged = any(map(_is_staged, arguments.positional))
        return replace(value, staged=staged or value.staged, outside=not interpreter.running)
    return value


def _is_staged(value: Value) -> bool:
    """Whether a value is known only when the kernel runs, or has such a value in it."""
    if isinstance(value, Sequence):
        return any(map(_is_staged, value.items))
    return isinstance(value, Array) and value.staged


def _called(request: Call) -> Value:
    name, arguments, node = request.name, request.arguments, request.node
    folded = folding.fold(name, arguments)
    if folded is not None:
        return folded
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
        return _converted(request, last, host=module == "numpy")
    return _plain_result(request)


def _converted(request: Call, dtype: str, host: bool) -> Value:
    """`jnp.float32(x)`: an array of the shape of its argument."""
    array = arithmetic.as_array(request.get("x", 0) or Constant(0))
    made = Array(None, dtype, origin=request.node, traced=not host)
    if array is None:
        return made
    outside = not host and not request.interpreter.running
    return replace(made, shape=array.shape, staged=array.staged, outside=outside)


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
            return Array((), "int32", origin=request.node, staged=True)
        case Result.NUMBER:
            return SCALAR
        case Result.EMPTY_LIST:
            return Sequence((), is_list=True)
        case Result.DESCRIPTOR:
            made_by = Constant(request.name.rpartition(".")[2])
            named = [value for name, value in request.arguments.keywords if "sem" in name]
            semaphores = Sequence((*request.arguments.positional[2:], *named))
            return Constructed("AsyncCopyDescriptor", (("made_by", made_by), ("semaphores", semaphores)), request.node)
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


def _launch(
    request: Call, row: EntryPoint, named: dict[str, Value], complete: bool, *, as_decorator: bool = False
) -> Value:
    interpreter = request.interpreter
    launch = Launch(row, request.node, request.frame.chunk, request.frame.path, named, complete, as_decorator)
    interpreter.effects += 1
    interpreter.launches.append(launch)
    launched = Launched(launch)
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
        named = {**named, row.function: function}
        return _launch(request, row, named, decorator.complete, as_decorator=not row.factory)
    launched = _launch(request, row, {**named, "function": function}, decorator.complete)
    assert isinstance(launched, Launched)
    launch = launched.launch
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
    for run in launch.runs:
        observing.carry_returned(interpreter, node, row.short_name, (carry, run.invocation.value), frame)
    return control_flow.generalised(carry)


def _warp_map(request: Call) -> Value:
    """It takes the function at once, where its siblings return a decorator."""
    decorator = Decorator(request.name, (), request.node)
    return call_decorator(request.interpreter, decorator, request.arguments, request.node, request.frame)


def _constructed(request: Call, parameters: tuple[str, ...]) -> Value:
    positional = [
        (parameters[index] if index < len(parameters) else str(index), value)
        for index, value in enumerate(request.arguments.positional)
    ]
    frame = request.frame
    return Constructed(
        request.name,
        (*positional, *request.arguments.keywords),
        request.node,
        frame.chunk,
        frame.path,
        request.arguments.complete,
    )


_METHODS: dict[str, Callable[[Call, str], Value]] = {
    "Ref": arrays.ref_method,
    "AsyncCopyDescriptor": arrays.descriptor_method,
    "array": arrays.array_method,
    "dict": python_library.dict_method,
}


def _batched(request: Call) -> Value:
    """`jax.vmap(function)`: the same trees, of arrays with one more axis."""
    match request.get("fun", 0):
        case Batched() as batched:
            return batched
        case Launched() | Function() | Partial() | Bound() as function:
            return Batched(function)
        case _:
            return _plain_result(request)


_HANDLERS: dict[str, Handler] = {
    **control_flow.HANDLERS,
    **python_library.HANDLERS,
    **arrays.HANDLERS,
    "jax.vmap": _batched,
    f"{MOSAIC_GPU}.warp_map": _warp_map,
}

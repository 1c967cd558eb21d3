"""Whether a function object returns None, and may be handed to `pallas_call`."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable
from typing import Any

from pallas_lsp.runtime.objects import Objects
from pallas_lsp.semantics.arguments import Arguments
from pallas_lsp.semantics.frames import Invocation
from pallas_lsp.semantics.jax_api import ENTRY_POINTS, PALLAS
from pallas_lsp.semantics.kernels import Verdict, verdict
from pallas_lsp.semantics.launches import Launch, positional_slots
from pallas_lsp.semantics.values import Bound, Function, Partial, Ref, Role, Value

_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def kernel_returns_none(kernel: Callable[..., Any]) -> bool | None:
    """Whether a function returns None when it is launched as a kernel, so that JAX takes it.

    The function is read, not run or traced: its source is followed as `pallas-lsp check` does, with what its free names
    hold at this moment.

    Args:
      kernel: a function, lambda, `functools.partial`, bound method or callable object, also one inside `jax.jit`.

    Returns:
      True when it is proved to return None on every path; False when it is proved to return something else on every
      path, as JAX refuses (`The kernel function ... should return None`); None when that depends on what it is given,
      or its source is not to be had.
    """
    objects = Objects()
    try:
        value = objects.value_of(called_by(kernel))
        function = function_in(value)
        if function is None:
            return None
        invocation = follow(objects, value, function, _refs(kernel, positional_slots(objects.interpreter, value)))
    except RecursionError:
        return None
    return {Verdict.NONE: True, Verdict.VALUE: False}.get(verdict(invocation.value))


def _refs(kernel: Callable[..., Any], slots: int | None) -> Arguments:
    """The Refs that a launch passes: as many as there must be, and all of them where there can be no more."""
    try:
        parameters = list(inspect.signature(kernel).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    exact = bool(parameters) and all(
        one.kind in _POSITIONAL and one.default is inspect.Parameter.empty for one in parameters
    )
    number = len(parameters) if exact else slots or 0
    return Arguments(tuple(Ref(Role.UNKNOWN, index, "") for index in range(number)), complete=exact)


def called_by(kernel: Any) -> Any:
    """What a call of an object calls: its `__call__` where it is no function itself."""
    method = inspect.getattr_static(type(kernel), "__call__", None)
    return types.MethodType(method, kernel) if isinstance(method, types.FunctionType) else kernel


def follow(objects: Objects, value: Value, function: Function, arguments: Arguments) -> Invocation:
    """Follows a callable as the kernel of a launch that stands nowhere."""
    launch = launch_of(value, function)
    return objects.interpreter.follow_kernel(launch, value, arguments)


def launch_of(value: Value, function: Function) -> Launch:
    """A launch of a callable by `pallas_call`, as if it stood where its function does."""
    row = ENTRY_POINTS[f"{PALLAS}.pallas_call"]
    return Launch(row, function.node, function.chunk, function.frame.path, {"kernel": value}, complete=True)


def function_in(value: Value) -> Function | None:
    """The function that calling a value runs; None when that is not known."""
    match value:
        case Function():
            return value
        case Partial(function=inner) | Bound(function=inner):
            return function_in(inner)
        case _:
            return None

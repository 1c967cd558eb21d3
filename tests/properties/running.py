"""Runs Pallas programs that are held as text, as they are or as their returning kernels are meant.

What a returning kernel is meant to do has an answer that needs no rewriting: call it, and store what it returns. That
is `Intended`, a `pallas_call` which does just so, and what a fixed program under the true one is compared with.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import os
import re
import sys
import types
import warnings
from collections.abc import Callable, Iterator
from typing import Any

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

NONE_ERROR = re.compile(r"should return None")
_FILE = "program.py"


def run(text: str, pallas_call: Callable[..., Any] | None = None) -> Any:
    """What the program's `run()` gives, with numpy arrays for JAX's; or the exception that ended it, as text."""
    with _module(text, pallas_call) as module:
        try:
            return jax.tree.map(np.asarray, module.run())
        except Exception as error:
            return describe(error)


def evaluate(text: str, expression: str) -> Any:
    """The value of an expression in the module of a program, with numpy arrays for JAX's; or the exception, as text."""
    with _module(text, None) as module:
        try:
            return jax.tree.map(np.asarray, eval(expression, module.__dict__))
        except Exception as error:
            return describe(error)


def trace(text: str) -> str:
    """The exception that ends the program while JAX traces its `run()`, empty when there is none; computes nothing."""
    with _module(text, None) as module:
        try:
            jax.eval_shape(module.run)
        except Exception as error:
            return describe(error)
    return ""


def describe(error: Exception) -> str:
    """An exception in one line."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}"


@contextlib.contextmanager
def _module(text: str, pallas_call: Callable[..., Any] | None) -> Iterator[types.ModuleType]:
    """The program as a module that has been executed; with another `pl.pallas_call` if one is given."""
    module = types.ModuleType("program")
    module.__file__ = _FILE
    before, true_one = sys.modules.get(module.__name__), pl.pallas_call
    sys.modules[module.__name__] = module
    pl.pallas_call = pallas_call or true_one
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(text, _FILE, "exec"), module.__dict__)
            yield module
    finally:
        pl.pallas_call = true_one
        if before is None:
            del sys.modules[module.__name__]
        else:
            sys.modules[module.__name__] = before


def same(one: Any, other: Any) -> bool:
    """Whether two results are the same tree of arrays, NaN included; texts are exceptions and equal nothing."""
    if isinstance(one, str) or isinstance(other, str) or jax.tree.structure(one) != jax.tree.structure(other):
        return False
    pairs = zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True)
    return all(
        left.shape == right.shape
        and left.dtype == right.dtype
        and np.allclose(left.astype(np.float64), right.astype(np.float64), rtol=1e-5, equal_nan=True)
        for left, right in pairs
    )


class Intended:
    """A `pallas_call` for kernels that return their results: it stores these in the output Refs.

    A kernel without output parameters is called with the arrays that its inputs hold.
    """

    def __init__(self) -> None:
        self.true_one = pl.pallas_call

    def __call__(self, kernel: Callable[..., Any], out_shape: Any, **keywords: Any) -> Any:
        outputs = len(out_shape) if isinstance(out_shape, (tuple, list)) else 1
        scratch = keywords.get("scratch_shapes", getattr(keywords.get("grid_spec"), "scratch_shapes", ()))
        behind = 0 if isinstance(scratch, dict) else len(scratch)

        def storing(*refs: Any, **named: Any) -> None:
            end = len(refs) - behind
            first, given = refs[: end - outputs], refs[end - outputs : end]
            value = _call(kernel, (*first, *given, *refs[end:]), (*map(_read, first), *refs[end:]), named)
            if value is None:
                return
            values, refs_of_outputs = jax.tree.leaves(value), jax.tree.leaves(list(given))
            if len(values) != len(refs_of_outputs):
                raise TypeError(f"{len(values)} values for {len(refs_of_outputs)} outputs")
            arrays = [_read(one) for one in values]
            for array, ref in zip(arrays, refs_of_outputs, strict=True):
                ref[...] = jnp.broadcast_to(array, ref.shape).astype(ref.dtype)

        if not isinstance(kernel, functools.partial):
            functools.update_wrapper(storing, kernel)
        return self.true_one(storing, out_shape, **keywords)


def _call(kernel: Callable[..., Any], refs: tuple[Any, ...], arrays: tuple[Any, ...], named: dict[str, Any]) -> Any:
    try:
        inspect.signature(kernel).bind(*refs, **named)
    except TypeError:
        return kernel(*arrays, **named)
    return kernel(*refs, **named)


def _read(value: Any) -> Any:
    """The content of a Ref, or of each Ref of a tree; anything else as it is."""
    return jax.tree.map(lambda leaf: leaf[...] if "Ref" in str(getattr(leaf, "aval", "")) else leaf, value)

"""Programs that the tests open in each editor, and how they look when they are fixed."""

from __future__ import annotations

TWO_KERNELS = """\
import jax
from jax.experimental import pallas as pl


def add_kernel(x_ref, y_ref, o_ref):
    return x_ref[...] + y_ref[...]


def double_kernel(x_ref, o_ref):
    return 2 * x_ref[...]


def add(x, y):
    return pl.pallas_call(add_kernel, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype))(x, y)


def double(x):
    return pl.pallas_call(double_kernel, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype))(x)
"""
"""A finding in line 6 and one in line 10."""

FIRST_FIXED = TWO_KERNELS.replace("return x_ref[...] + y_ref[...]", "o_ref[...] = x_ref[...] + y_ref[...]")
BOTH_FIXED = FIRST_FIXED.replace("return 2 * x_ref[...]", "o_ref[...] = 2 * x_ref[...]")

MESSAGE = "The kernel function in the pallas_call add_kernel should return None."
FIX = "Store the result in `o_ref`"
FIX_ALL = "Fix all auto-fixable problems"

# {"name": "overload_stubs", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


from typing import overload


@overload
def apply(x: int) -> int: ...
@overload
def apply(x: float) -> float: ...
def apply(x):
  return x + 1


def kernel(x_ref, o_ref):
  o_ref[...] = apply(x_ref[...])


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X + 1

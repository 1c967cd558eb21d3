# {"name": "decorator_in_function_scope", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "", "lint": "report", "group": "C-callables", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
import functools
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def add(x, amount):
  @functools.partial(pl.pallas_call, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype), interpret=True)
  def inner(x_ref, o_ref):
    return x_ref[...] + amount

  return inner(x)


def run():
  return add(jnp.asarray(X), 1)


def reference():
  return X + 1

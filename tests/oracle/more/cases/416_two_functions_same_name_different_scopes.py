# {"name": "two_functions_same_name_different_scopes", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def first(x):
  def kernel(x_ref, o_ref):
    o_ref[...] = x_ref[...] + 1

  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(x)


def second(x):
  def kernel(v):
    return v * 2

  return kernel(x)


def run():
  return second(first(jnp.asarray(X)))


def reference():
  return (X + 1) * 2

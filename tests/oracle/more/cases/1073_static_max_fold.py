# {"name": "static_max_fold", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "D-control-flow", "entry": "pallas_call", "fix": "none", "reference": "both"}
import functools
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  n = max(x_ref.shape) // min(x_ref.shape)
  if n != 16:
    return x_ref[...]
  if sum(x_ref.shape) != 136:
    return x_ref[...]
  if abs(-1) != 1 or int("3") != 3 or round(2.2) != 2:
    return x_ref[...]
  if functools.reduce(lambda a, b: a * b, x_ref.shape) != 1024:
    return x_ref[...]
  o_ref[...] = x_ref[...]


def reference():
  return X


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))

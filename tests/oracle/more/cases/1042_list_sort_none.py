# {"name": "list_sort_none", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "B-calls", "entry": "pallas_call", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  d = [2, 1]
  o_ref[...] = x_ref[...] * d[0]
  return d.sort()


def reference():
  return X * 2


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))

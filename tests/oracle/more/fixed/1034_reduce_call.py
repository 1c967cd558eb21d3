# {"name": "reduce_call", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/1034_reduce_call.py", "lint": "silent", "group": "B-calls", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import functools
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(a_ref, b_ref, c_ref, o_ref):
  o_ref[...] = functools.reduce(lambda p, q: p + q, [r[...] for r in (a_ref, b_ref, c_ref)])


def run():
  x = jnp.asarray(X)
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(x, x, x)


def reference():
  return X * 3

# {"name": "unknown_decorator_stores_result", "expect": "ok", "expected_exception_regex": "", "note": "the wrapper is made by a function a checker does not know", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


import jax._src.util as unseen


def storing(f):
  return unseen.wraps(f)(lambda x_ref, o_ref: o_ref.__setitem__(..., f(x_ref[...])))


@storing
def kernel(v):
  return v + 1


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X + 1

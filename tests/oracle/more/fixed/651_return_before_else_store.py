# {"name": "return_before_else_store", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/651_return_before_else_store.py", "lint": "silent", "group": "D-control-flow", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


DEEP = True


def kernel(x_ref, o_ref):
  if DEEP:
    while True:
      if x_ref.ndim == 2:
        o_ref[...] = x_ref[...] + 1
        return
      break
  else:
    o_ref[...] = x_ref[...]
    return
  o_ref[...] = x_ref[...] * 9


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X + 1

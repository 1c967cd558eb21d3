# {"name": "return_multi_line_call", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/645_return_multi_line_call.py", "lint": "silent", "group": "A-forms", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  o_ref[...] = jnp.where(
      x_ref[...] > 4,
      x_ref[...],
      # small ones are doubled
      x_ref[...] * 2,
  )


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return np.where(X > 4, X, X * 2)

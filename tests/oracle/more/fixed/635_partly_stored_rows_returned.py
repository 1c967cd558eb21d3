# {"name": "partly_stored_rows_returned", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/635_partly_stored_rows_returned.py", "lint": "silent", "group": "G-siblings", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  for i in range(8):
    o_ref[i] = x_ref[i] + 1


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X + 1

# {"name": "return_matmul", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/367_return_matmul.py", "lint": "silent", "group": "B-calls", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, y_ref, o_ref):
  o_ref[...] = x_ref[...] @ y_ref[...]


def run():
  return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8, 8), jnp.float32), interpret=True)(jnp.asarray(X), jnp.asarray(X.T))


def reference():
  return X @ X.T

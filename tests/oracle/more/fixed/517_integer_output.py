# {"name": "integer_output", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/517_integer_output.py", "lint": "silent", "group": "E-specs", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  o_ref[...] = x_ref[...] // 2


def run():
  return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.int32), interpret=True)(jnp.asarray(X, jnp.int32))


def reference():
  return X.astype(np.int32) // 2

# {"name": "missing_out_shape", "expect": "other-error", "expected_exception_regex": "missing 1 required positional argument: 'out_shape'", "note": "", "lint": "silent", "group": "G-siblings", "entry": "pallas_call", "fix": "none", "reference": "none"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  o_ref[...] = x_ref[...]


def run():
  return pl.pallas_call(kernel, interpret=True)(jnp.asarray(X))

# {"name": "store_integer_into_float", "expect": "other-error", "expected_exception_regex": "Invalid dtype for `swap`|dynamic_update_slice requires arguments to have the same dtypes", "note": "", "lint": "silent", "sibling": "PAL307", "group": "G-siblings", "entry": "pallas_call", "fix": "none", "reference": "none"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  o_ref[0, 0] = 1


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))

# {"name": "captures_jnp_scalar", "expect": "other-error", "expected_exception_regex": "captures constants", "note": "", "lint": "silent", "sibling": "PAL501", "group": "G-siblings", "entry": "pallas_call", "fix": "none", "reference": "none"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


SCALE = jnp.float32(2)


def kernel(x_ref, o_ref):
  o_ref[...] = x_ref[...] * SCALE


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))

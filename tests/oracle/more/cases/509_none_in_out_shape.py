# {"name": "none_in_out_shape", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "a None element is a parameter that is None; there is nothing to store into", "lint": "report", "group": "E-specs", "entry": "pallas_call", "fix": "none", "reference": "none"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, a_ref, nothing, b_ref):
  return x_ref[...], None, x_ref[...] + 1


def run():
  return pl.pallas_call(kernel, out_shape=(OUT, None, OUT), interpret=True)(jnp.asarray(X))

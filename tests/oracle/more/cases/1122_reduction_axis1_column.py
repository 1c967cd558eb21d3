# {"name": "reduction_axis1_column", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "", "lint": "report", "group": "E-specs", "entry": "pallas_call", "fix": "none", "reference": "none"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  return jnp.max(x_ref[...], axis=1)


def run():
  return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8, 1), jnp.float32), interpret=True)(jnp.asarray(X))

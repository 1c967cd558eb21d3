# {"name": "stores_one_returns_other", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "one output is stored, the value surely is for the other; JAX cannot tell", "lint": "report", "group": "E-specs", "entry": "pallas_call", "fix": "none", "reference": "none"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, a_ref, b_ref):
  a_ref[...] = x_ref[...] + 1
  return x_ref[...] * 2


def run():
  return pl.pallas_call(kernel, out_shape=(OUT, OUT), interpret=True)(jnp.asarray(X))

# {"name": "starred_tuple_three_outputs", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "", "lint": "report", "group": "E-specs", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def pair(v):
  return v + 1, v + 2


def kernel(x_ref, a_ref, b_ref, c_ref):
  return x_ref[...], *pair(x_ref[...])


def run():
  return pl.pallas_call(kernel, out_shape=(OUT, OUT, OUT), interpret=True)(jnp.asarray(X))


def reference():
  return (X, X + 1, X + 2)

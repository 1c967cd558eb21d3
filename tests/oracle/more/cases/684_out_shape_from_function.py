# {"name": "out_shape_from_function", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "", "lint": "report", "group": "E-specs", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def shapes(n):
  return [OUT for _ in range(n)]


def kernel(x_ref, a_ref, b_ref):
  return x_ref[...] + 1, x_ref[...] + 2


def run():
  return pl.pallas_call(kernel, out_shape=shapes(2), interpret=True)(jnp.asarray(X))


def reference():
  return (X + 1, X + 2)

# {"name": "two_outputs_early_return", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "", "lint": "report", "group": "E-specs", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


FAST = True


def kernel(x_ref, a_ref, b_ref):
  if FAST:
    return x_ref[...] + 1, x_ref[...] + 2
  a_ref[...] = x_ref[...]
  b_ref[...] = x_ref[...]


def run():
  return pl.pallas_call(kernel, out_shape=(OUT, OUT), interpret=True)(jnp.asarray(X))


def reference():
  return (X + 1, X + 2)

# {"name": "none_variable_sometimes_value", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "the variable is None on one path and a value on the other; stored as it stands, None would fail", "lint": "report", "group": "B-calls", "entry": "pallas_call", "fix": "none", "reference": "none"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


KEEP = True


def kernel(x_ref, o_ref):
  result = None
  if KEEP:
    result = x_ref[...] + 1
  return result


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))

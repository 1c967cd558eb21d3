# {"name": "return_in_elif_chain", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "", "lint": "report", "group": "D-control-flow", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


MODE = 1


def kernel(x_ref, o_ref):
  if MODE == 0:
    return x_ref[...]
  elif MODE == 1:
    return x_ref[...] + 1
  elif MODE == 2:
    return x_ref[...] + 2
  return x_ref[...] + 3


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X + 1

# {"name": "output_name_is_shadowed", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "the output's name is taken by a number when the value is returned", "lint": "report", "group": "D-control-flow", "entry": "pallas_call", "fix": "none", "reference": "none"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  for o_ref in (1, 2):
    pass
  return x_ref[...] * o_ref


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))

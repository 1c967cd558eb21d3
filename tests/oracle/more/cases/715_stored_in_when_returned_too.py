# {"name": "stored_in_when_returned_too", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "", "lint": "report", "group": "D-control-flow", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  @pl.when(pl.program_id(0) == 0)
  def _():
    o_ref[...] = x_ref[...] + 1

  return o_ref[...]


def run():
  return pl.pallas_call(kernel, out_shape=OUT, grid=(1,), interpret=True)(jnp.asarray(X))


def reference():
  return X + 1

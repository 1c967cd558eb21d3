# {"name": "reversed_block_units", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "", "lint": "report", "group": "E-specs", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  rows = x_ref.shape[0]
  return x_ref[...] * rows


def run():
  return pl.pallas_call(kernel, out_shape=OUT, grid=(4,), in_specs=[pl.BlockSpec((2, 128), lambda i: (3 - i, 0))], out_specs=pl.BlockSpec((2, 128), lambda i: (3 - i, 0)), interpret=True)(jnp.asarray(X))


def reference():
  return X * 2

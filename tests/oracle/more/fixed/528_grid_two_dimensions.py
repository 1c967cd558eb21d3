# {"name": "grid_two_dimensions", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/528_grid_two_dimensions.py", "lint": "silent", "group": "E-specs", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  i, j = pl.program_id(0), pl.program_id(1)
  o_ref[...] = x_ref[...] + (i * 2 + j).astype(jnp.float32)


def run():
  return pl.pallas_call(kernel, out_shape=OUT, grid=(2, 1), in_specs=[pl.BlockSpec((4, 128), lambda i, j: (i, j))], out_specs=pl.BlockSpec((4, 128), lambda i, j: (i, j)), interpret=True)(jnp.asarray(X))


def reference():
  return X + np.repeat([0, 2], 4)[:, None].astype(np.float32)

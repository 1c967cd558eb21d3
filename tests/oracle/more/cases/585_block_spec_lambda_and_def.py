# {"name": "block_spec_lambda_and_def", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "F-entry-points", "entry": "BlockSpec", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def rows(i, j):
  return (i, j)


def columns(i, j):
  if X.ndim == 2:
    return i, j
  return 0, 0


def kernel(x_ref, o_ref):
  o_ref[...] = x_ref[...] + 1


def run():
  return pl.pallas_call(kernel, out_shape=OUT, grid=(2, 1), in_specs=[pl.BlockSpec((4, 128), index_map=rows)],
                        out_specs=pl.BlockSpec(block_shape=(4, 128), index_map=columns), interpret=True)(jnp.asarray(X))


def reference():
  return X + 1

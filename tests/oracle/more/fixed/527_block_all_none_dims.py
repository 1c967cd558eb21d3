# {"name": "block_all_none_dims", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/527_block_all_none_dims.py", "lint": "silent", "group": "E-specs", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  o_ref[...] = x_ref[...] * 2


def run():
  return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8,), jnp.float32), grid=(8,), in_specs=[pl.BlockSpec((None,), lambda i: (i,))], out_specs=pl.BlockSpec((None,), lambda i: (i,)), interpret=True)(jnp.arange(8.0))


def reference():
  return np.arange(8, dtype=np.float32) * 2

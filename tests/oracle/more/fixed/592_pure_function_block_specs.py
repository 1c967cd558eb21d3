# {"name": "pure_function_block_specs", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/592_pure_function_block_specs.py", "lint": "silent", "group": "G-siblings", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def double(x_ref, o_ref):
  o_ref[...] = x_ref[...] * 2


def run():
  spec = pl.BlockSpec((4, 128), lambda i: (i, 0))
  return pl.pallas_call(double, grid=(2,), in_specs=[spec], out_specs=spec, out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X * 2

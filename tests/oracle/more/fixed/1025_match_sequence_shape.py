# {"name": "match_sequence_shape", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/1025_match_sequence_shape.py", "lint": "silent", "group": "D-control-flow", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  match x_ref.shape:
    case (rows, cols):
      o_ref[...] = x_ref[...] * rows
    case _:
      o_ref[...] = x_ref[...]


def reference():
  return X * 8


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))

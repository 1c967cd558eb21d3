# {"name": "under_eval_shape", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/530_under_eval_shape.py", "lint": "silent", "group": "E-specs", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  o_ref[...] = x_ref[...] + 1


def run():
  return jax.eval_shape(pl.pallas_call(kernel, out_shape=OUT, interpret=True), X).shape


def reference():
  return (8, 128)

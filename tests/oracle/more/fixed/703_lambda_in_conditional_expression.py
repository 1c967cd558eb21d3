# {"name": "lambda_in_conditional_expression", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/703_lambda_in_conditional_expression.py", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


FLAG = True


def store(x_ref, o_ref):
  o_ref[...] = x_ref[...]


def run():
  return pl.pallas_call((lambda x_ref, o_ref: o_ref.__setitem__(..., x_ref[...] + 1)) if FLAG else store, out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X + 1

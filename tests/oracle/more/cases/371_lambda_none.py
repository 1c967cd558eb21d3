# {"name": "lambda_none", "expect": "ok", "expected_exception_regex": "", "note": "the output stays uninitialised, on purpose", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "none", "reference": "none"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def run_kernel(x):
  return pl.pallas_call(lambda x_ref, o_ref: None, out_shape=OUT, interpret=True)(x)


def run():
  return run_kernel(jnp.asarray(X)).shape

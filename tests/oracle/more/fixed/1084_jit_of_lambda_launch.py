# {"name": "jit_of_lambda_launch", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/1084_jit_of_lambda_launch.py", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


run_it = jax.jit(lambda x: pl.pallas_call(lambda i, o: o.__setitem__(..., i[...] * 2), out_shape=OUT, interpret=True)(x))


def run():
  return run_it(jnp.asarray(X))


def reference():
  return X * 2

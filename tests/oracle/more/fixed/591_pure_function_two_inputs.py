# {"name": "pure_function_two_inputs", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/591_pure_function_two_inputs.py", "lint": "silent", "group": "G-siblings", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def add(x_ref, y_ref, o_ref):
  o_ref[...] = x_ref[...] + y_ref[...]


def run():
  return pl.pallas_call(add, out_shape=OUT, interpret=True)(jnp.asarray(X), jnp.asarray(X))


def reference():
  return X * 2

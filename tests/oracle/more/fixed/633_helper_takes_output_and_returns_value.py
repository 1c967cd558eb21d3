# {"name": "helper_takes_output_and_returns_value", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/633_helper_takes_output_and_returns_value.py", "lint": "silent", "group": "G-siblings", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def add_and_store(x_ref, o_ref):
  value = x_ref[...] + 1
  o_ref[...] = value
  return value


def kernel(x_ref, o_ref):
  add_and_store(x_ref, o_ref)


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X + 1

# {"name": "helper_takes_output_and_returns_value", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "the helper stores and returns: keep the call, drop the return", "lint": "report", "group": "G-siblings", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
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
  return add_and_store(x_ref, o_ref)


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X + 1

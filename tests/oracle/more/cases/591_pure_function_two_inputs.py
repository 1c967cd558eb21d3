# {"name": "pure_function_two_inputs", "expect": "other-error", "expected_exception_regex": "takes 2 positional arguments but 3 were given", "note": "no output parameter at all", "lint": "report", "group": "G-siblings", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def add(x_ref, y_ref):
  return x_ref[...] + y_ref[...]


def run():
  return pl.pallas_call(add, out_shape=OUT, interpret=True)(jnp.asarray(X), jnp.asarray(X))


def reference():
  return X * 2

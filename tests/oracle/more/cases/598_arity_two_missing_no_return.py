# {"name": "arity_two_missing_no_return", "expect": "other-error", "expected_exception_regex": "takes 1 positional argument but 2 were given", "note": "a bug, but nothing is returned", "lint": "silent", "group": "G-siblings", "entry": "pallas_call", "fix": "none", "reference": "none"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref):
  x_ref[...] + 1


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))

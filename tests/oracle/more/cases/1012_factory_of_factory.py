# {"name": "factory_of_factory", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "", "lint": "report", "group": "C-callables", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def outer(a):
  def inner(b):
    def kernel(x_ref, o_ref):
      return x_ref[...] * a + b
    return kernel
  return inner


def run():
  return pl.pallas_call(outer(2)(5), out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X * 2 + 5

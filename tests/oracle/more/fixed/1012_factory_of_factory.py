# {"name": "factory_of_factory", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/1012_factory_of_factory.py", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def outer(a):
  def inner(b):
    def kernel(x_ref, o_ref):
      o_ref[...] = x_ref[...] * a + b
    return kernel
  return inner


def run():
  return pl.pallas_call(outer(2)(5), out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X * 2 + 5

# {"name": "decorator_conditionally_forwards", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "", "lint": "report", "group": "C-callables", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import functools
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


DEBUG = False


def maybe(fn):
  if DEBUG:
    @functools.wraps(fn)
    def inner(*a):
      return fn(*a)
    return inner
  return fn


@maybe
def kernel(x_ref, o_ref):
  return x_ref[...] * 5


def reference():
  return X * 5


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))

# {"name": "decorator_class_forward", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "", "lint": "report", "group": "B-calls", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


class Traced:
  def __init__(self, fn):
    self.fn = fn

  def __call__(self, *refs):
    return self.fn(*refs)


@Traced
def kernel(x_ref, o_ref):
  return x_ref[...] * 4


def reference():
  return X * 4


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))

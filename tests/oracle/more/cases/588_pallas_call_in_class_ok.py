# {"name": "pallas_call_in_class_ok", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "F-entry-points", "entry": "pallas_call", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


class Layer:
  def __init__(self, n):
    self.n = n

  def kernel(self, x_ref, o_ref):
    o_ref[...] = x_ref[...] + self.n

  def reference(self, x):
    return x + self.n

  def __call__(self, x):
    return pl.pallas_call(self.kernel, out_shape=OUT, interpret=True)(x)


def run():
  layer = Layer(1)
  np.testing.assert_array_equal(layer.reference(X), X + 1)
  return layer(jnp.asarray(X))


def reference():
  return X + 1

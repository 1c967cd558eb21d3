# {"name": "instance_holds_kernel", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "", "lint": "report", "group": "C-callables", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


class Runner:
  def __init__(self, kernel):
    self.kernel = kernel

  def run(self, x):
    return pl.pallas_call(self.kernel, out_shape=OUT, interpret=True)(x)


def double(x_ref, o_ref):
  return x_ref[...] * 2


def run():
  return Runner(double).run(jnp.asarray(X))


def reference():
  return X * 2

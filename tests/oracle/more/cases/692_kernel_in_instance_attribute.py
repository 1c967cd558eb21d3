# {"name": "kernel_in_instance_attribute", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "", "lint": "optional", "group": "C-callables", "entry": "pallas_call", "fix": "none", "reference": "none"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


class Runner:
  def __init__(self, kernel):
    self.kernel = kernel

  def __call__(self, x):
    return pl.pallas_call(self.kernel, out_shape=OUT, interpret=True)(x)


def add_one(x_ref, o_ref):
  return x_ref[...] + 1


def run():
  return Runner(add_one)(jnp.asarray(X))

# {"name": "kernel_returned_conditionally", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "", "lint": "report", "group": "G-siblings", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def pick(double):
  def plain(x_ref, o_ref):
    o_ref[...] = x_ref[...]

  def twice(x_ref, o_ref):
    return x_ref[...] * 2

  return twice if double else plain


def run():
  return pl.pallas_call(pick(True), out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X * 2

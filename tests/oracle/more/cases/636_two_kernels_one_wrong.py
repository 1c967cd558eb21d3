# {"name": "two_kernels_one_wrong", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "", "lint": "report", "group": "G-siblings", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def first(x_ref, o_ref):
  o_ref[...] = x_ref[...] + 1


def second(x_ref, o_ref):
  return x_ref[...] * 2


def run():
  x = pl.pallas_call(first, out_shape=OUT, interpret=True)(jnp.asarray(X))
  return pl.pallas_call(second, out_shape=OUT, interpret=True)(x)


def reference():
  return (X + 1) * 2

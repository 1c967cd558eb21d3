# {"name": "two_launches_different_roles", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "the launches disagree about which parameters are outputs", "lint": "report", "group": "C-callables", "entry": "pallas_call", "fix": "none", "reference": "none"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(a_ref, b_ref, c_ref):
  return a_ref[...] + 1


def run():
  x = jnp.asarray(X)
  pl.pallas_call(kernel, out_shape=OUT, interpret=True)(x, x)
  return pl.pallas_call(kernel, out_shape=(OUT, OUT), interpret=True)(x)

# {"name": "namedtuple_output", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "a namedtuple out_shape spreads over parameters, as a tuple does", "lint": "report", "group": "E-specs", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


import collections

Pair = collections.namedtuple("Pair", ["a", "b"])


def kernel(x_ref, a_ref, b_ref):
  return Pair(x_ref[...], x_ref[...] + 1)


def run():
  return pl.pallas_call(kernel, out_shape=Pair(OUT, OUT), interpret=True)(jnp.asarray(X))


def reference():
  return Pair(X, X + 1)

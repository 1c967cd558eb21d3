# {"name": "in_place_item_assignment", "expect": "other-error", "expected_exception_regex": "immutable arrays|do not support in-place item assignment|immutable", "note": "", "lint": "silent", "sibling": "PAL309", "group": "G-siblings", "entry": "pallas_call", "fix": "none", "reference": "none"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  y = x_ref[...]
  y[0] = 0
  o_ref[...] = y


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))

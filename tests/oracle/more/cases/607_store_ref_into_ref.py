# {"name": "store_ref_into_ref", "expect": "other-error", "expected_exception_regex": "Cannot store a Ref into another Ref", "note": "", "lint": "silent", "sibling": "PAL304", "group": "G-siblings", "entry": "pallas_call", "fix": "none", "reference": "none", "since": "0.9.2"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  o_ref[...] = x_ref


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))

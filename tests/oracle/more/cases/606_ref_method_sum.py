# {"name": "ref_method_sum", "expect": "other-error", "expected_exception_regex": "has no attribute 'sum'", "note": "", "lint": "silent", "sibling": "PAL301", "group": "G-siblings", "entry": "pallas_call", "fix": "none", "reference": "none"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  o_ref[...] = jnp.broadcast_to(x_ref.sum(), (8, 128))


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))

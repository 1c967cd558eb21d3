# {"name": "return_helper_sometimes_none", "expect": "ok", "expected_exception_regex": "", "note": "None on the path taken; a value on another", "lint": "optional", "group": "B-calls", "entry": "pallas_call", "fix": "none", "reference": "none"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def helper(src, dst, store):
  if store:
    dst[...] = src[...]
    return None
  return src[...]


def kernel(x_ref, o_ref):
  return helper(x_ref, o_ref, True)


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))

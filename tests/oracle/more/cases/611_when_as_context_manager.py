# {"name": "when_as_context_manager", "expect": "other-error", "expected_exception_regex": "does not support the context manager protocol|__enter__", "note": "", "lint": "silent", "sibling": "PAL403", "group": "G-siblings", "entry": "pallas_call", "fix": "none", "reference": "none"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  with pl.when(x_ref[0, 0] > 0):
    o_ref[...] = x_ref[...]


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))

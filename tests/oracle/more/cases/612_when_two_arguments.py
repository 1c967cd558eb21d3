# {"name": "when_two_arguments", "expect": "other-error", "expected_exception_regex": "takes 1 positional argument but 2 were given", "note": "", "lint": "silent", "sibling": "PAL403", "group": "G-siblings", "entry": "pallas_call", "fix": "none", "reference": "none"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  pl.when(x_ref[0, 0] > 0, lambda: None)


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))

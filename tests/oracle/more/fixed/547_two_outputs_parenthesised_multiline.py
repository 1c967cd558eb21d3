# {"name": "two_outputs_parenthesised_multiline", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/547_two_outputs_parenthesised_multiline.py", "lint": "silent", "group": "E-specs", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, a_ref, b_ref):
  x = x_ref[...]
  a_ref[...], b_ref[...] = (
      x + 1,  # up
      x - 1,  # down
  )


def run():
  return pl.pallas_call(kernel, out_shape=(OUT, OUT), interpret=True)(jnp.asarray(X))


def reference():
  return (X + 1, X - 1)

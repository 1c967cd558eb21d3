# {"name": "stored_and_then_another_one", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "A-forms", "entry": "pallas_call", "fix": "none", "reference": "both"}
import os

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)
NAME = os.environ.get("NO_SUCH_NAME", "nothing")
FUNCTION = {"triple": lambda x: x * 3, "nothing": lambda x: None}[NAME]


def kernel(x_ref, o_ref):
  y = x_ref[...] * 3
  for turn in range(2):
    if y is not None:
      o_ref[...] = y
    y = FUNCTION(y)
  return y


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X * 3

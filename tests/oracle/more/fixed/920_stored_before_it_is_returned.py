# {"name": "stored_before_it_is_returned", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/920_stored_before_it_is_returned.py", "lint": "silent", "group": "A-forms", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import os

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)
NAME = os.environ.get("NO_SUCH_NAME", "triple")
FUNCTION = {"triple": lambda x: x * 3, "nothing": lambda x: None}[NAME]


def kernel(x_ref, o_ref):
  y = FUNCTION(x_ref[...])
  o_ref[...] = y


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X * 3

# {"name": "none_from_unknown_base_class", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "B-calls", "entry": "pallas_call", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


import logging


class Kernel(logging.Handler):
  def body(self, x_ref, o_ref):
    o_ref[...] = x_ref[...] + 1
    return self.flush()


def run():
  return pl.pallas_call(Kernel().body, out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X + 1

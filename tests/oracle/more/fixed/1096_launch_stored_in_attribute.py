# {"name": "launch_stored_in_attribute", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/1096_launch_stored_in_attribute.py", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


class M:
  def __init__(self):
    def k(x_ref, o_ref):
      o_ref[...] = x_ref[...] * 2
    self.f = pl.pallas_call(k, out_shape=OUT, interpret=True)

  def __call__(self, x):
    return self.f(x)


def run():
  return M()(jnp.asarray(X))


def reference():
  return X * 2

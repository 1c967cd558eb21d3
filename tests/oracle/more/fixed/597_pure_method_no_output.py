# {"name": "pure_method_no_output", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/597_pure_method_no_output.py", "lint": "silent", "group": "G-siblings", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


class Op:
  def body(self, x_ref, o_ref):
    o_ref[...] = x_ref[...] + 1


def run():
  return pl.pallas_call(Op().body, out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X + 1

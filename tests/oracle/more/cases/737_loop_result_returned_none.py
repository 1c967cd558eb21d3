# {"name": "loop_result_returned_none", "expect": "ok", "expected_exception_regex": "", "note": "without a carry the decorated name is None", "lint": "silent", "group": "F-entry-points", "entry": "loop", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  @pl.loop(0, 8)
  def rows(i):
    o_ref[i] = x_ref[i] + 1

  return rows


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X + 1

# {"name": "return_cond_branch_functions", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "D-control-flow", "entry": "cond", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  def big():
    return x_ref[...] * 2

  def small():
    return x_ref[...]

  o_ref[...] = lax.cond(x_ref[0, 1] > 0, big, small)


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X * 2

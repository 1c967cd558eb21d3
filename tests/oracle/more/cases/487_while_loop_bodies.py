# {"name": "while_loop_bodies", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "D-control-flow", "entry": "while_loop", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  def keep_going(state):
    i, _ = state
    return i < 3

  def step(state):
    i, value = state
    return i + 1, value + 1

  _, o_ref[...] = lax.while_loop(keep_going, step, (0, x_ref[...]))


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X + 3

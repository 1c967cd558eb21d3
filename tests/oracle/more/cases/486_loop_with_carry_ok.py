# {"name": "loop_with_carry_ok", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "D-control-flow", "entry": "loop", "fix": "none", "reference": "both", "since": "0.10.2"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  @pl.loop(0, 8, init_carry=jnp.zeros(128))
  def total(i, carry):
    o_ref[i] = x_ref[i]
    return carry + x_ref[i]

  o_ref[0] = total


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))[0]


def reference():
  return X.sum(0)

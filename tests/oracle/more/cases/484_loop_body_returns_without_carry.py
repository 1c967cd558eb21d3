# {"name": "loop_body_returns_without_carry", "expect": "other-error", "expected_exception_regex": "carry input and carry output must have the same pytree structure", "note": "", "lint": "report", "group": "D-control-flow", "entry": "loop", "fix": "none", "reference": "none"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  @pl.loop(0, 8)
  def _(i):
    o_ref[i] = x_ref[i]
    return i


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))

# {"name": "when_body_named_then_plain_call", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "D-control-flow", "entry": "when", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  def load():
    return x_ref[...] + 1

  @pl.when(pl.program_id(0) == 0)
  def _():
    o_ref[...] = load()


def run():
  return pl.pallas_call(kernel, out_shape=OUT, grid=(1,), interpret=True)(jnp.asarray(X))


def reference():
  return X + 1

# {"name": "try_finally_without_output", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "store before finally is right here, because finally does not touch the output", "lint": "report", "group": "D-control-flow", "entry": "pallas_call", "fix": "none", "reference": "none"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


log = []


def kernel(x_ref, o_ref):
  try:
    return x_ref[...] + 1
  finally:
    log.append("done")


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))

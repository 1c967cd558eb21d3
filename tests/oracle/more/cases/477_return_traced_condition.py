# {"name": "return_traced_condition", "expect": "other-error", "expected_exception_regex": "Attempted boolean conversion of traced array", "note": "the traced condition fails first; rewriting the returns alone cannot make it run", "lint": "report", "group": "D-control-flow", "entry": "pallas_call", "fix": "none", "reference": "none"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  if x_ref[0, 0] > 0:
    return x_ref[...]
  return x_ref[...] + 1


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))

# {"name": "return_in_match_in_for", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/650_return_in_match_in_for.py", "lint": "silent", "group": "D-control-flow", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


STEPS = ("skip", "double", "triple")


def kernel(x_ref, o_ref):
  for step in STEPS:
    match step:
      case "double":
        o_ref[...] = x_ref[...] * 2
        return
      case "triple":
        o_ref[...] = x_ref[...] * 3
        return
  o_ref[...] = x_ref[...]


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X * 2

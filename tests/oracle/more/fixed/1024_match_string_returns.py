# {"name": "match_string_returns", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/1024_match_string_returns.py", "lint": "silent", "group": "D-control-flow", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
from functools import partial
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref, *, mode):
  match mode:
    case "add":
      return x_ref[...] + 1
    case "mul" | "times":
      o_ref[...] = x_ref[...] * 2
      return
  o_ref[...] = x_ref[...]


def run():
  return pl.pallas_call(partial(kernel, mode="times"), out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X * 2

# {"name": "return_in_with_then_store", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/467_return_in_with_then_store.py", "lint": "silent", "group": "D-control-flow", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


MODE = "fast"


def kernel(x_ref, o_ref):
  with jax.named_scope("work"):
    if MODE == "fast":
      o_ref[...] = x_ref[...] + 1
      return
  o_ref[...] = x_ref[...]


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X + 1

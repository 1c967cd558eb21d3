# {"name": "stores_in_branch_returns_in_other", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/539_stores_in_branch_returns_in_other.py", "lint": "silent", "group": "E-specs", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


WHICH = True


def kernel(x_ref, o_ref):
  if WHICH:
    result = x_ref[...] + 1
  else:
    result = x_ref[...]
  o_ref[...] = result


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X + 1

# {"name": "run_state_ok", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "F-entry-points", "entry": "run_state", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def body(ref):
  ref[...] = ref[...] + 1


def run():
  return pl.run_state(body)(jnp.asarray(X))


def reference():
  return X + 1

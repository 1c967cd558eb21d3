# {"name": "run_state_empty_tuple", "expect": "ok", "expected_exception_regex": "", "note": "run_state counts leaves, not trees", "lint": "optional", "group": "F-entry-points", "entry": "run_state", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def body(ref):
  ref[...] = ref[...] + 1
  return ()


def run():
  return pl.run_state(body)(jnp.asarray(X))


def reference():
  return X + 1

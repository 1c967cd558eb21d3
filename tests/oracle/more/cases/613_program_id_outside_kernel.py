# {"name": "program_id_outside_kernel", "expect": "other-error", "expected_exception_regex": ".*", "note": "", "lint": "silent", "group": "G-siblings", "entry": "pallas_call", "fix": "none", "reference": "none"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def offsets():
  return pl.program_id(0)


def run():
  return offsets()

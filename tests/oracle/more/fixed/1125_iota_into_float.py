# {"name": "iota_into_float", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/1125_iota_into_float.py", "lint": "silent", "group": "E-specs", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(o_ref):
  o_ref[...] = lax.broadcasted_iota(jnp.int32, (8, 128), 1).astype(o_ref.dtype)


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)()


def reference():
  return np.tile(np.arange(128, dtype=np.float32), (8, 1))

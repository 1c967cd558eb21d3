# {"name": "iota_into_float", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "", "lint": "report", "group": "E-specs", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(o_ref):
  return lax.broadcasted_iota(jnp.int32, (8, 128), 1)


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)()


def reference():
  return np.tile(np.arange(128, dtype=np.float32), (8, 1))

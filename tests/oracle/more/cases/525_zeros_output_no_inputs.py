# {"name": "zeros_output_no_inputs", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "", "lint": "report", "group": "E-specs", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(o_ref):
  return jnp.zeros((8, 128), jnp.float32)


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)()


def reference():
  return np.zeros((8, 128), np.float32)

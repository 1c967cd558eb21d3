# {"name": "output_first_parameter_no_inputs", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "two outputs and no inputs", "lint": "report", "group": "A-forms", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, y_ref):
  return jnp.ones((8, 128), jnp.float32), jnp.zeros((8, 128), jnp.float32)


def run():
  return pl.pallas_call(kernel, out_shape=[OUT, OUT], interpret=True)()


def reference():
  return (np.ones((8, 128), np.float32), np.zeros((8, 128), np.float32))

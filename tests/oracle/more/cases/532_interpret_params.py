# {"name": "interpret_params", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "", "lint": "report", "group": "E-specs", "entry": "pallas_call", "fix": "none", "reference": "none"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  return x_ref[...] + 1


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=pltpu.InterpretParams())(jnp.asarray(X))

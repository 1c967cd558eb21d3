# {"name": "removed_tpu_compiler_params", "expect": "other-error", "expected_exception_regex": "has no attribute 'TPUCompilerParams'", "note": "", "lint": "silent", "group": "G-siblings", "entry": "pallas_call", "fix": "none", "reference": "none", "since": "0.9.2"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  o_ref[...] = x_ref[...]


def run():
  return pl.pallas_call(kernel, out_shape=OUT, compiler_params=pltpu.TPUCompilerParams(), interpret=True)(jnp.asarray(X))

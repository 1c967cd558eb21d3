# {"name": "scratch_tuple", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "", "lint": "report", "group": "E-specs", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref, acc_ref, tmp_ref):
  acc_ref[...] = x_ref[...]
  tmp_ref[...] = acc_ref[...] + 1
  return tmp_ref[...]


def run():
  return pl.pallas_call(kernel, out_shape=OUT, scratch_shapes=(pltpu.VMEM((8, 128), jnp.float32), pltpu.VMEM((8, 128), jnp.float32)), interpret=True)(jnp.asarray(X))


def reference():
  return X + 1

# {"name": "scratch_concatenated", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/688_scratch_concatenated.py", "lint": "silent", "group": "E-specs", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref, a_ref, b_ref):
  a_ref[...] = x_ref[...]
  b_ref[...] = a_ref[...] * 2
  o_ref[...] = b_ref[...]


def run():
  tile = [pltpu.VMEM((8, 128), jnp.float32)]
  return pl.pallas_call(kernel, out_shape=OUT, scratch_shapes=tile + [pltpu.VMEM((8, 128), jnp.float32)], interpret=True)(jnp.asarray(X))


def reference():
  return X * 2

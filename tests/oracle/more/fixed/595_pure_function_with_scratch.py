# {"name": "pure_function_with_scratch", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/595_pure_function_with_scratch.py", "lint": "silent", "group": "G-siblings", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def double(x_ref, o_ref, tmp_ref):
  tmp_ref[...] = x_ref[...]
  o_ref[...] = tmp_ref[...] * 2


def run():
  return pl.pallas_call(double, out_shape=OUT, scratch_shapes=[pltpu.VMEM((8, 128), jnp.float32)], interpret=True)(jnp.asarray(X))


def reference():
  return X * 2

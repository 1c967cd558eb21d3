# {"name": "scratch_dict_two", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/542_scratch_dict_two.py", "lint": "silent", "group": "E-specs", "entry": "pallas_call", "fix": "golden", "reference": "fixed", "since": "0.10.2"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref, first, second):
  first[...] = x_ref[...]
  second[...] = first[...] + 1
  o_ref[...] = second[...]


def run():
  return pl.pallas_call(kernel, out_shape=OUT, scratch_shapes={"second": pltpu.VMEM((8, 128), jnp.float32), "first": pltpu.VMEM((8, 128), jnp.float32)}, interpret=True)(jnp.asarray(X))


def reference():
  return X + 1

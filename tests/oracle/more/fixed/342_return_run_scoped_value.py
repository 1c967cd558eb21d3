# {"name": "return_run_scoped_value", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/342_return_run_scoped_value.py", "lint": "silent", "group": "B-calls", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  def body(s):
    s[...] = x_ref[...] + 1
    return s[...]

  o_ref[...] = pl.run_scoped(body, pltpu.VMEM((8, 128), jnp.float32))


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X + 1

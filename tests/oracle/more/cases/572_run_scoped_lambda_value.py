# {"name": "run_scoped_lambda_value", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "F-entry-points", "entry": "run_scoped", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  def doubled(tmp_ref):
    tmp_ref[...] = x_ref[...] * 2
    return tmp_ref[...]

  o_ref[...] = pl.run_scoped(doubled, pltpu.VMEM((8, 128), jnp.float32)) + 1


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X * 2 + 1

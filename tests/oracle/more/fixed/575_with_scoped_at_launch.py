# {"name": "with_scoped_at_launch", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/575_with_scoped_at_launch.py", "lint": "silent", "group": "F-entry-points", "entry": "with_scoped", "fix": "golden", "reference": "fixed", "since": "0.9.2"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def body(x_ref, o_ref, tmp_ref):
  tmp_ref[...] = x_ref[...]
  o_ref[...] = tmp_ref[...] + 1


def run():
  return pl.pallas_call(pl.with_scoped(pltpu.VMEM((8, 128), jnp.float32))(body), out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X + 1

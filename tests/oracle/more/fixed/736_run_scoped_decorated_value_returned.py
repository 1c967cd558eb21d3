# {"name": "run_scoped_decorated_value_returned", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/736_run_scoped_decorated_value_returned.py", "lint": "silent", "group": "F-entry-points", "entry": "run_scoped", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
import functools
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  @functools.partial(pl.run_scoped, tmp=pltpu.VMEM((8, 128), jnp.float32))
  def result(tmp):
    tmp[...] = x_ref[...]
    return tmp[...] + 1

  o_ref[...] = result


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X + 1

# {"name": "core_map_ok", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "F-entry-points", "entry": "core_map", "fix": "none", "reference": "both", "since": "0.9.2"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


mesh = pltpu.create_tensorcore_mesh("core", num_cores=1)


@jax.jit
def add_one(x):
  x_ref = jax.new_ref(x)
  y_ref = jax.new_ref(jnp.zeros_like(x))

  @pl.core_map(mesh, interpret=pltpu.InterpretParams())
  def _():
    return pltpu.sync_copy(x_ref, y_ref)

  return jax.freeze(y_ref)


def run():
  return add_one(jnp.asarray(X))


def reference():
  return X

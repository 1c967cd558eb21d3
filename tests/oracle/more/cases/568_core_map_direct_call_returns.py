# {"name": "core_map_direct_call_returns", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "", "lint": "report", "group": "F-entry-points", "entry": "core_map", "fix": "none", "reference": "none", "since": "0.9.2"}
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

  def body():
    y_ref[...] = x_ref[...] + 1
    return y_ref[...]

  pl.core_map(mesh, interpret=pltpu.InterpretParams())(body)
  return jax.freeze(y_ref)


def run():
  return add_one(jnp.asarray(X))

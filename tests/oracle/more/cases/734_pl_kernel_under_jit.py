# {"name": "pl_kernel_under_jit", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "", "lint": "report", "group": "F-entry-points", "entry": "pl.kernel", "fix": "golden", "reference": "fixed", "since": "0.10.2"}
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
  @pl.kernel(out_type=x, mesh=mesh, interpret=True)
  def inner(x_ref, o_ref):
    return x_ref[...] + 1

  return inner(x)


def run():
  return add_one(jnp.asarray(X))


def reference():
  return X + 1

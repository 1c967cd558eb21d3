# {"name": "pl_kernel_dict_output", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "", "lint": "report", "group": "F-entry-points", "entry": "pl.kernel", "fix": "golden", "reference": "fixed", "since": "0.10.2"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


mesh = pltpu.create_tensorcore_mesh("core", num_cores=1)


def body(x_ref, out):
  return {"a": x_ref[...] + 1, "b": x_ref[...] * 2}


def run():
  return pl.kernel(body, out_type={"a": OUT, "b": OUT}, mesh=mesh, interpret=True)(jnp.asarray(X))


def reference():
  return {"a": X + 1, "b": X * 2}

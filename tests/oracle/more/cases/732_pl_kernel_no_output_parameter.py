# {"name": "pl_kernel_no_output_parameter", "expect": "other-error", "expected_exception_regex": "takes 1 positional argument but 2 were given", "note": "", "lint": "report", "group": "F-entry-points", "entry": "pl.kernel", "fix": "golden", "reference": "fixed", "since": "0.10.2"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


mesh = pltpu.create_tensorcore_mesh("core", num_cores=1)


def body(x_ref):
  return x_ref[...] + 1


def run():
  return pl.kernel(body, out_type=OUT, mesh=mesh, interpret=True)(jnp.asarray(X))


def reference():
  return X + 1

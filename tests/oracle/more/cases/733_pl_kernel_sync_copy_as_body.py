# {"name": "pl_kernel_sync_copy_as_body", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "F-entry-points", "entry": "pl.kernel", "fix": "none", "reference": "both", "since": "0.10.2"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


mesh = pltpu.create_tensorcore_mesh("core", num_cores=1)


def run():
  return pl.kernel(pltpu.sync_copy, out_type=OUT, mesh=mesh, interpret=True)(jnp.asarray(X))


def reference():
  return X

# {"name": "pl_kernel_scratch_ok", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "F-entry-points", "entry": "pl.kernel", "fix": "none", "reference": "both", "since": "0.10.2"}
import jax
import jax.numpy as jnp
import numpy as np
import functools
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


mesh = pltpu.create_tensorcore_mesh("core", num_cores=1)


@functools.partial(pl.kernel, out_type=OUT, mesh=mesh, scratch_types=[pltpu.VMEM((8, 128), jnp.float32)], interpret=True)
def add_one(x_ref, o_ref, acc):
  pltpu.sync_copy(x_ref, acc)
  acc[...] += 1
  return pltpu.sync_copy(acc, o_ref)


def run():
  return add_one(jnp.asarray(X))


def reference():
  return X + 1

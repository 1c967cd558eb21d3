# {"name": "smem_scalar_output", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/679_smem_scalar_output.py", "lint": "silent", "group": "E-specs", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  o_ref[...] = jnp.broadcast_to(jnp.sum(x_ref[...]), o_ref.shape)


def run():
  return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((1,), jnp.float32), out_specs=pl.BlockSpec(memory_space=pltpu.SMEM), interpret=True)(jnp.asarray(X))


def reference():
  return X.sum(dtype=np.float32).reshape(1)

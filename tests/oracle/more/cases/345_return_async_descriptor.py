# {"name": "return_async_descriptor", "expect": "other-error", "expected_exception_regex": "object of type 'NoneType' has no len|not a valid JAX type", "note": "", "lint": "report", "group": "B-calls", "entry": "pallas_call", "fix": "none", "reference": "none"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref, sem):
  o_ref[...] = x_ref[...]
  return pltpu.make_async_copy(x_ref, o_ref, sem)


def run():
  return pl.pallas_call(kernel, out_shape=OUT, scratch_shapes=[pltpu.SemaphoreType.DMA], interpret=True)(jnp.asarray(X))

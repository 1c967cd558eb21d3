# {"name": "return_copy_start", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "B-calls", "entry": "pallas_call", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref, sem):
  copy = pltpu.make_async_copy(x_ref, o_ref, sem)
  copy.start()
  return copy.wait()


def run():
  return pl.pallas_call(kernel, out_shape=OUT, scratch_shapes=[pltpu.SemaphoreType.DMA], interpret=True)(jnp.asarray(X))


def reference():
  return X

# {"name": "plgpu_kernel_status_after_store", "expect": "ok", "expected_exception_regex": "", "note": "dropped, but the output has been written: harmless", "lint": "optional", "group": "F-entry-points", "entry": "plgpu.kernel", "fix": "none", "reference": "both", "since": "0.10.2"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jax.experimental.pallas import mosaic_gpu as plgpu

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


from jax._src.pallas.mosaic_gpu.interpret import params as _gp

INTERPRET = (getattr(_gp, "InterpretParams", None) or _gp.InterpretGPUParams)()


def body(x_ref, o_ref):
  o_ref[...] = x_ref[...] + 1
  return 0


def run():
  return plgpu.kernel(body, out_type=OUT, interpret=INTERPRET)(jnp.asarray(X))


def reference():
  return X + 1

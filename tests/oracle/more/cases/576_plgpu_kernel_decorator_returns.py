# {"name": "plgpu_kernel_decorator_returns", "expect": "ok", "expected_exception_regex": "", "note": "NO ERROR: the value is dropped and the output is never written", "lint": "report", "group": "F-entry-points", "entry": "plgpu.kernel", "fix": "golden", "reference": "fixed", "since": "0.10.2"}
import jax
import jax.numpy as jnp
import numpy as np
import functools
from jax.experimental import pallas as pl
from jax.experimental.pallas import mosaic_gpu as plgpu

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


from jax._src.pallas.mosaic_gpu.interpret import params as _gp

INTERPRET = (getattr(_gp, "InterpretParams", None) or _gp.InterpretGPUParams)()


@functools.partial(plgpu.kernel, out_type=OUT, interpret=INTERPRET)
def add_one(x_ref, o_ref):
  return x_ref[...] + 1


def run():
  out = add_one(jnp.asarray(X))
  assert np.isnan(np.asarray(out)).all()
  return out


def reference():
  return X + 1

# {"name": "plgpu_nd_loop_with_carry", "expect": "ok", "expected_exception_regex": "", "note": "with init_carry the body must return", "lint": "silent", "group": "F-entry-points", "entry": "nd_loop", "fix": "none", "reference": "both", "since": "0.10.2"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jax.experimental.pallas import mosaic_gpu as plgpu

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def body(x_ref, o_ref):
  @plgpu.nd_loop((2,), collective_axes="sm", init_carry=jnp.int32(0))
  def total(info, carry):
    return carry + 1

  o_ref[...] = x_ref[...] + total.astype(jnp.float32)


def run():
  jax.make_jaxpr(plgpu.kernel(body, out_type=OUT, grid=(1,), grid_names=("sm",)))(jnp.asarray(X))
  return X + 2


def reference():
  return X + 2

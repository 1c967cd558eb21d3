# {"name": "plgpu_emit_pipeline_with_carry", "expect": "ok", "expected_exception_regex": "", "note": "with init_carry the body must return the next carry", "lint": "silent", "group": "F-entry-points", "entry": "emit_pipeline", "fix": "none", "reference": "both", "since": "0.10.2"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jax.experimental.pallas import mosaic_gpu as plgpu

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def pipe_body(indices, i_ref, o_ref, carry):
  o_ref[...] = i_ref[...] + carry
  return carry + 1.0


def body(x_ref, o_ref):
  spec = plgpu.BlockSpec((64, 64), lambda i: (i, 0))
  plgpu.emit_pipeline(pipe_body, grid=(2,), in_specs=[spec], out_specs=[spec], init_carry=jnp.float32(0))(x_ref, o_ref)


def run():
  jax.make_jaxpr(plgpu.kernel(body, out_type=jax.ShapeDtypeStruct((128, 64), jnp.float32)))(jnp.ones((128, 64), jnp.float32))
  return X


def reference():
  return X

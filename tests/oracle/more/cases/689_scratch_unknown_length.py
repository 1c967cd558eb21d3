# {"name": "scratch_unknown_length", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "neither the number of inputs nor that of scratch is known at the launch", "lint": "report", "group": "E-specs", "entry": "pallas_call", "fix": "none", "reference": "none"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, y_ref, o_ref, *scratch):
  scratch[0][...] = x_ref[...]
  return scratch[0][...] + y_ref[...]


def launch(scratch, *arrays):
  return pl.pallas_call(kernel, out_shape=OUT, scratch_shapes=scratch, interpret=True)(*arrays)


def run():
  return launch([pltpu.VMEM((8, 128), jnp.float32)], jnp.asarray(X), jnp.asarray(X))

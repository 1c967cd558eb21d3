# {"name": "launch_star_arguments", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "", "lint": "optional", "group": "C-callables", "entry": "pallas_call", "fix": "none", "reference": "none"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  return x_ref[...] + 1


ARGUMENTS = (kernel, OUT)


def run():
  return pl.pallas_call(*ARGUMENTS, interpret=True)(jnp.asarray(X))

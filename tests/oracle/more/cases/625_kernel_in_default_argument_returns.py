# {"name": "kernel_in_default_argument_returns", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "", "lint": "optional", "group": "G-siblings", "entry": "pallas_call", "fix": "none", "reference": "none"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def value(x_ref, o_ref):
  return x_ref[...] + 1


def launch(x, body=value):
  return pl.pallas_call(body, out_shape=OUT, interpret=True)(x)


def run():
  return launch(jnp.asarray(X))

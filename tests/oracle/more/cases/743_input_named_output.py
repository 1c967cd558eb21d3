# {"name": "input_named_output", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "names do not tell roles: o_ref is the input here", "lint": "report", "group": "A-forms", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(o_ref, y_ref):
  return o_ref[...] * 2


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X * 2

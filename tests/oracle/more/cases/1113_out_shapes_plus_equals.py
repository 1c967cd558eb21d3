# {"name": "out_shapes_plus_equals", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "", "lint": "report", "group": "E-specs", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, a_ref, b_ref):
  return x_ref[...], x_ref[...] * 2


def run(extra=True):
  outs = [OUT]
  if extra:
    outs += [OUT]
  return pl.pallas_call(kernel, out_shape=outs, interpret=True)(jnp.asarray(X))


def reference():
  return X, X * 2

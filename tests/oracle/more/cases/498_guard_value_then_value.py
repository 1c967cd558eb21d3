# {"name": "guard_value_then_value", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "", "lint": "report", "group": "D-control-flow", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
import functools
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref, *, scale):
  if scale is None:
    return x_ref[...]
  return x_ref[...] * scale


def run():
  return pl.pallas_call(functools.partial(kernel, scale=None), out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X

# {"name": "reduction_method_keepdims", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "", "lint": "report", "group": "E-specs", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  return x_ref[...].sum(-1, keepdims=True)


def run():
  return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8, 1), jnp.float32), interpret=True)(jnp.asarray(X))


def reference():
  return X.sum(-1, keepdims=True)

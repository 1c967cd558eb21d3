# {"name": "dot_with_preferred_type", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/682_dot_with_preferred_type.py", "lint": "silent", "group": "E-specs", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, y_ref, o_ref):
  o_ref[...] = jnp.dot(x_ref[...], y_ref[...], preferred_element_type=jnp.float32)


def run():
  return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8, 8), jnp.float32), interpret=True)(jnp.asarray(X % 4, jnp.bfloat16), jnp.asarray(X.T % 4, jnp.bfloat16))


def reference():
  return (X % 4) @ (X.T % 4)

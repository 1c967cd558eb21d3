# {"name": "reduction_two_axes", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "E-specs", "entry": "pallas_call", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  o_ref[...] = jnp.sum(x_ref[...], axis=(0, 1), keepdims=True) + jnp.mean(x_ref[...], (0, 1))


def run():
  return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((1, 1), jnp.float32), interpret=True)(jnp.asarray(X))


def reference():
  return (X.sum() + X.mean()).reshape(1, 1)

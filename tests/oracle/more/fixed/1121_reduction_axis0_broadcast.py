# {"name": "reduction_axis0_broadcast", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/1121_reduction_axis0_broadcast.py", "lint": "silent", "group": "E-specs", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  o_ref[...] = jnp.broadcast_to(jnp.max(x_ref[...], axis=0), o_ref.shape)


def run():
  return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((1, 128), jnp.float32), interpret=True)(jnp.asarray(X))


def reference():
  return X.max(0, keepdims=True)

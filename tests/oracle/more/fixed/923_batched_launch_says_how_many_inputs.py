# {"name": "batched_launch_says_how_many_inputs", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/923_batched_launch_says_how_many_inputs.py", "lint": "silent", "group": "A-forms", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(4 * 8 * 128, dtype=np.float32).reshape(4, 8, 128)
W = np.arange(128, dtype=np.float32)
OUT = [jax.ShapeDtypeStruct((8, 128), jnp.float32), jax.ShapeDtypeStruct((128,), jnp.float32)]


def kernel(x_ref, w_ref, o_ref, copy_ref=None):
  if copy_ref is not None:
    copy_ref[...] = w_ref[...]
  o_ref[...] = x_ref[...] * w_ref[...]


def run():
  scaled = pl.pallas_call(kernel, out_shape=OUT, interpret=True)
  return jax.vmap(scaled, in_axes=(0, None))(jnp.asarray(X), jnp.asarray(W))[0]


def reference():
  return X * W

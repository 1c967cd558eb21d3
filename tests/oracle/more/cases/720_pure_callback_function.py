# {"name": "pure_callback_function", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x):
  return np.asarray(x) + 1


def store_kernel(x_ref, o_ref):
  o_ref[...] = x_ref[...]


def run():
  x = jax.pure_callback(kernel, OUT, jnp.asarray(X))
  return pl.pallas_call(store_kernel, out_shape=OUT, interpret=True)(x)


def reference():
  return X + 1

# {"name": "launch_in_string_and_comment", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  o_ref[...] = x_ref[...] + 1


def documented(x):
  """pl.pallas_call(documented, out_shape=OUT)(x)"""
  # pl.pallas_call(documented, out_shape=OUT)(x)
  return x * 2


def run():
  return documented(pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X)))


def reference():
  return (X + 1) * 2

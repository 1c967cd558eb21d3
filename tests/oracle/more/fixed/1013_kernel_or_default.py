# {"name": "kernel_or_default", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/1013_kernel_or_default.py", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def default(x_ref, o_ref):
  o_ref[...] = x_ref[...] * 2


def launch(x, body=None):
  body = body or default
  return pl.pallas_call(body, out_shape=OUT, interpret=True)(x)


def run():
  return launch(jnp.asarray(X))


def reference():
  return X * 2

# {"name": "mocked_launch", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


import unittest.mock


def kernel(x, o=None):
  return x * 2


def launch(x):
  with unittest.mock.patch.object(pl, "pallas_call", lambda f, **options: f):
    return pl.pallas_call(double_ref, out_shape=OUT)(x)


def double_ref(x_ref, o_ref=None):
  if o_ref is not None:
    o_ref[...] = x_ref[...]


def run():
  launch(jnp.asarray(X))
  return kernel(jnp.asarray(X))


def reference():
  return X * 2

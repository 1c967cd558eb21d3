# {"name": "local_pl_shadowed", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


import types


def kernel(x, _):
  return x[...] + 1


def launch(x):
  pl = types.SimpleNamespace(pallas_call=lambda f, out_shape: lambda x: f(x, None))
  return pl.pallas_call(kernel, out_shape=OUT)(x)


def run():
  return launch(jnp.asarray(X))


def reference():
  return X + 1

# {"name": "helper_wraps_lambda_forward", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/1002_helper_wraps_lambda_forward.py", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def launch(body, x, **kw):
  return pl.pallas_call(lambda *refs: body(*refs, **kw), out_shape=OUT, interpret=True)(x)


def scale(x_ref, o_ref, *, factor):
  o_ref[...] = x_ref[...] * factor


def run():
  return launch(scale, jnp.asarray(X), factor=4)


def reference():
  return X * 4

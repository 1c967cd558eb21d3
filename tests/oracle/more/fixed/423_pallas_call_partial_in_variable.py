# {"name": "pallas_call_partial_in_variable", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/423_pallas_call_partial_in_variable.py", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
import functools
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


launch = functools.partial(pl.pallas_call, out_shape=OUT, interpret=True)


def kernel(x_ref, o_ref):
  o_ref[...] = x_ref[...] + 1


def run():
  return launch(kernel)(jnp.asarray(X))


def reference():
  return X + 1

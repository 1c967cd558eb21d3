# {"name": "module_list_changed", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/1114_module_list_changed.py", "lint": "silent", "group": "E-specs", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


OUTS = []
OUTS.append(OUT)
OUTS.append(OUT)


def kernel(x_ref, a_ref, b_ref):
  a_ref[...], b_ref[...] = x_ref[...], x_ref[...] * 2


def run():
  return pl.pallas_call(kernel, out_shape=OUTS, interpret=True)(jnp.asarray(X))


def reference():
  return X, X * 2

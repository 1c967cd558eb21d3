# {"name": "kernel_chosen_by_if_else", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/399_kernel_chosen_by_if_else.py", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def fast(x_ref, o_ref):
  o_ref[...] = x_ref[...] + 1


def slow(x_ref, o_ref):
  o_ref[...] = x_ref[...] + 1


def run():
  if X.size > 4:
    kernel = fast
  else:
    kernel = slow
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X + 1

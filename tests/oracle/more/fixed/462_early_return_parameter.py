# {"name": "early_return_parameter", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/462_early_return_parameter.py", "lint": "silent", "group": "D-control-flow", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
import functools
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref, *, double):
  if double:
    o_ref[...] = x_ref[...] * 2
    return
  o_ref[...] = x_ref[...]


def run():
  return pl.pallas_call(functools.partial(kernel, double=True), out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X * 2

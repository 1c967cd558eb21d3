# {"name": "decorator_partial_pallas_call_value", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/382_decorator_partial_pallas_call_value.py", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
import functools
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


@functools.partial(pl.pallas_call, out_shape=OUT, interpret=True)
def add_one(x_ref, o_ref):
  o_ref[...] = x_ref[...] + 1


def run():
  return add_one(jnp.asarray(X))


def reference():
  return X + 1

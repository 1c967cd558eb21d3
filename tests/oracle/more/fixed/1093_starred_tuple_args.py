# {"name": "starred_tuple_args", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/1093_starred_tuple_args.py", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def double(x_ref, o_ref):
  o_ref[...] = x_ref[...] * 2


def run():
  args = (double, OUT)
  return pl.pallas_call(*args, interpret=True)(jnp.asarray(X))


def reference():
  return X * 2

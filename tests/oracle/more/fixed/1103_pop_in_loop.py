# {"name": "pop_in_loop", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/1103_pop_in_loop.py", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(*refs):
  todo = list(refs[:-1])
  total = 0
  while todo:
    total = total + todo.pop()[...]
  refs[2][...] = total


def run():
  x = jnp.asarray(X)
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(x, x)


def reference():
  return X * 2

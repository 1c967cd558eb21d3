# {"name": "refs_forward_part", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/1101_refs_forward_part.py", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def compute(*ins):
  return ins[0][...] * ins[1][...]


def kernel(*refs):
  refs[2][...] = compute(*refs[:-1])


def run():
  x = jnp.asarray(X)
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(x, x)


def reference():
  return X * X

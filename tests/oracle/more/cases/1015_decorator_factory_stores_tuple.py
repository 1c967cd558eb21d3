# {"name": "decorator_factory_stores_tuple", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def pure(n_out):
  def wrap(fn):
    def inner(*refs):
      ins, outs = refs[:-n_out], refs[-n_out:]
      vals = fn(*[r[...] for r in ins])
      for o, v in zip(outs, vals):
        o[...] = v
    return inner
  return wrap


@pure(2)
def kernel(a):
  return a + 1, a * 2


def run():
  return pl.pallas_call(kernel, out_shape=(OUT, OUT), interpret=True)(jnp.asarray(X))


def reference():
  return X + 1, X * 2

# {"name": "launch_returning_decorator", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/1082_launch_returning_decorator.py", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import functools
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def pallas(out_shape):
  def deco(fn):
    @functools.wraps(fn)
    def call(*args):
      return pl.pallas_call(fn, out_shape=out_shape, interpret=True)(*args)
    return call
  return deco


@pallas(OUT)
def double(x_ref, o_ref):
  o_ref[...] = x_ref[...] * 2


def run():
  return double(jnp.asarray(X))


def reference():
  return X * 2

# {"name": "launch_returning_decorator_ok", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "none", "reference": "both"}
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
      def kernel(*refs):
        refs[-1][...] = fn(*refs[:-1])
      return pl.pallas_call(kernel, out_shape=out_shape, interpret=True)(*args)
    return call
  return deco


@pallas(OUT)
def double(x_ref):
  return x_ref[...] * 2


def run():
  return double(jnp.asarray(X))


def reference():
  return X * 2

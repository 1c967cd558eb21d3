# {"name": "super_in_init", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/1088_super_in_init.py", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


class Base:
  def __init__(self, n):
    self.n = n


class Scale(Base):
  def __init__(self, n):
    super().__init__(n)

  def __call__(self, x_ref, o_ref):
    o_ref[...] = x_ref[...] * self.n


def run():
  return pl.pallas_call(Scale(2), out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X * 2

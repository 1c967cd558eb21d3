# {"name": "abstract_method_kernel", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/1081_abstract_method_kernel.py", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


import abc


class Base(abc.ABC):
  @abc.abstractmethod
  def fwd(self, x_ref, o_ref): ...

  def __call__(self, x):
    return pl.pallas_call(self.fwd, out_shape=OUT, interpret=True)(x)


class Good(Base):
  def fwd(self, x_ref, o_ref):
    o_ref[...] = x_ref[...]


class Bad(Base):
  def fwd(self, x_ref, o_ref):
    o_ref[...] = x_ref[...] * 2


def run():
  return Good()(jnp.asarray(X)), Bad()(jnp.asarray(X))


def reference():
  return X, X * 2

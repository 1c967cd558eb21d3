# {"name": "inherited_method_kernel", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/446_inherited_method_kernel.py", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


class Base:
  def body(self, x_ref, o_ref):
    o_ref[...] = x_ref[...] + self.n

  def __call__(self, x):
    return pl.pallas_call(self.body, out_shape=OUT, interpret=True)(x)


class AddOne(Base):
  n = 1


def run():
  return AddOne()(jnp.asarray(X))


def reference():
  return X + 1

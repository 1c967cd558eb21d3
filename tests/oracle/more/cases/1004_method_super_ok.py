# {"name": "method_super_ok", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


class Base:
  def kernel(self, x_ref, o_ref):
    o_ref[...] = x_ref[...] + 1


class Child(Base):
  def kernel(self, x_ref, o_ref):
    return super().kernel(x_ref, o_ref)

  def call(self, x):
    return pl.pallas_call(self.kernel, out_shape=OUT, interpret=True)(x)


def run():
  return Child().call(jnp.asarray(X))


def reference():
  return X + 1

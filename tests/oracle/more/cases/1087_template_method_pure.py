# {"name": "template_method_pure", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


class Base:
  def compute(self, x):
    raise NotImplementedError

  def kernel(self, x_ref, o_ref):
    o_ref[...] = self.compute(x_ref[...])

  def __call__(self, x):
    return pl.pallas_call(self.kernel, out_shape=OUT, interpret=True)(x)


class Double(Base):
  def compute(self, x):
    return x * 2


def run():
  return Double()(jnp.asarray(X))


def reference():
  return X * 2

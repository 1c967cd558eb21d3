# {"name": "partial_class_method", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "", "lint": "report", "group": "C-callables", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
import functools
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


class Scale:
  factor = 2.0

  @classmethod
  def body(cls, x_ref, o_ref, *, add):
    return x_ref[...] * cls.factor + add


def run():
  return pl.pallas_call(functools.partial(Scale.body, add=1.0), out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X * 2 + 1

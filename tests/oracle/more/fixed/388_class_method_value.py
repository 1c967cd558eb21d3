# {"name": "class_method_value", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/388_class_method_value.py", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


class K:
  @classmethod
  def body(cls, x_ref, o_ref):
    o_ref[...] = x_ref[...] + 1

  @classmethod
  def launch(cls, x):
    return pl.pallas_call(cls.body, out_shape=OUT, interpret=True)(x)


def run():
  return K.launch(jnp.asarray(X))


def reference():
  return X + 1

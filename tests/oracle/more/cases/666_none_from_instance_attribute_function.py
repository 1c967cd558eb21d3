# {"name": "none_from_instance_attribute_function", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "B-calls", "entry": "pallas_call", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


class Op:
  def __init__(self, store):
    self.store = store

  def body(self, x_ref, o_ref):
    return self.store(o_ref, x_ref[...] + 1)


def put(ref, value):
  ref[...] = value


def run():
  return pl.pallas_call(Op(put).body, out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X + 1

# {"name": "monkeypatched_kernel_attribute", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "G-siblings", "entry": "pallas_call", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


class Op:
  def body(self, x_ref, o_ref):
    return x_ref[...]


def replacement(self, x_ref, o_ref):
  o_ref[...] = x_ref[...] + 1


Op.body = replacement


def run():
  return pl.pallas_call(Op().body, out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X + 1

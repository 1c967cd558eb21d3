# {"name": "static_enum_equal", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "D-control-flow", "entry": "pallas_call", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


import enum


class Act(enum.Enum):
  RELU = enum.auto()
  NONE = enum.auto()


def kernel(x_ref, o_ref, *, act=Act.NONE):
  if act == Act.RELU:
    return jnp.maximum(x_ref[...], 0)
  o_ref[...] = x_ref[...]


def reference():
  return X


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))

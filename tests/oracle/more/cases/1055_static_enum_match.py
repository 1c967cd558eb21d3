# {"name": "static_enum_match", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "D-control-flow", "entry": "pallas_call", "fix": "none", "reference": "both"}
from functools import partial
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


import enum


class Mode(enum.Enum):
  COPY = "copy"
  RETURN = "return"


def kernel(x_ref, o_ref, *, mode):
  match mode:
    case Mode.RETURN:
      return x_ref[...]
    case Mode.COPY:
      o_ref[...] = x_ref[...]


def run():
  return pl.pallas_call(partial(kernel, mode=Mode.COPY), out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X

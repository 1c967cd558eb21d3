# {"name": "type_checking_reimport", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "G-siblings", "entry": "pallas_call", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


import typing

if typing.TYPE_CHECKING:
  from collections.abc import Callable


def kernel(x_ref, o_ref):
  o_ref[...] = x_ref[...] + 1


def apply(f: "Callable") -> "Callable":
  return f


def run():
  return apply(pl.pallas_call(kernel, out_shape=OUT, interpret=True))(jnp.asarray(X))


def reference():
  return X + 1

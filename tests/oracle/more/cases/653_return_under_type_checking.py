# {"name": "return_under_type_checking", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "optional", "group": "D-control-flow", "entry": "pallas_call", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


from typing import TYPE_CHECKING


def kernel(x_ref, o_ref):
  if TYPE_CHECKING:
    return x_ref[...]
  o_ref[...] = x_ref[...]


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X

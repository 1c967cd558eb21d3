# {"name": "class_as_kernel", "expect": "other-error", "expected_exception_regex": "object of type 'NoneType' has no len|not a valid JAX type", "note": "the instance is returned; no function of the file returns a value", "lint": "optional", "group": "C-callables", "entry": "pallas_call", "fix": "none", "reference": "none"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


class Kernel:
  def __init__(self, x_ref, o_ref):
    o_ref[...] = x_ref[...] + 1


def run():
  return pl.pallas_call(Kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))

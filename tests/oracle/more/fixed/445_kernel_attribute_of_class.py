# {"name": "kernel_attribute_of_class", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/445_kernel_attribute_of_class.py", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def add_one(x_ref, o_ref):
  o_ref[...] = x_ref[...] + 1


class Op:
  kernel = staticmethod(add_one)


def run():
  return pl.pallas_call(Op.kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X + 1

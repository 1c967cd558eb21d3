# {"name": "loop_variable_kernel_names", "expect": "ok", "expected_exception_regex": "", "note": "the loop leaves the last element in the name", "lint": "silent", "group": "G-siblings", "entry": "pallas_call", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def plain(x_ref, o_ref):
  return x_ref


for kernel in (plain, lambda x_ref, o_ref: o_ref.set(x_ref[...] + 1)):
  pass


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X + 1

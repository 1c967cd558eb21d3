# {"name": "kernel_called_by_kernel_and_value_stored", "expect": "ok", "expected_exception_regex": "", "note": "compute looks like a kernel, but only its value is used", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def compute(x_ref, o_ref):
  return x_ref[...] + 1


def kernel(x_ref, o_ref):
  o_ref[...] = compute(x_ref, o_ref)


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X + 1

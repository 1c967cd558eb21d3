# {"name": "reference_implementation_beside_kernel", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel_reference(x_ref, y_ref):
  return x_ref + y_ref


def kernel(x_ref, y_ref, o_ref):
  o_ref[...] = x_ref[...] + y_ref[...]


def run():
  x = jnp.asarray(X)
  np.testing.assert_array_equal(kernel_reference(x, x), X * 2)
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(x, x)


def reference():
  return X * 2

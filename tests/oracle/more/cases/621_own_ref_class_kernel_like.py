# {"name": "own_ref_class_kernel_like", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "G-siblings", "entry": "pallas_call", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


class HostRef:
  def __init__(self, value):
    self.value = value

  def __getitem__(self, index):
    return self.value[index]


def kernel(x_ref, o_ref):
  return x_ref[...] + 1


def kernel_on_device(x_ref, o_ref):
  o_ref[...] = kernel(x_ref, o_ref)


def run():
  np.testing.assert_array_equal(kernel(HostRef(X), None), X + 1)
  return pl.pallas_call(kernel_on_device, out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X + 1

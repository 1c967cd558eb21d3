# {"name": "test_class_with_expected_kernel", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


class KernelTest:
  def kernel(self, x):
    return x + 1

  def pallas_kernel(self, x_ref, o_ref):
    o_ref[...] = self.kernel(x_ref[...])

  def run(self, x):
    got = pl.pallas_call(self.pallas_kernel, out_shape=OUT, interpret=True)(x)
    np.testing.assert_array_equal(got, self.kernel(x))
    return got


def run():
  return KernelTest().run(jnp.asarray(X))


def reference():
  return X + 1

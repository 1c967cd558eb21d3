# {"name": "nonlocal_rebinds_kernel", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def launch(x):
  def kernel(x_ref, o_ref):
    return x_ref[...]

  def install():
    nonlocal kernel

    def kernel(x_ref, o_ref):
      o_ref[...] = x_ref[...] + 1

  install()
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(x)


def run():
  return launch(jnp.asarray(X))


def reference():
  return X + 1

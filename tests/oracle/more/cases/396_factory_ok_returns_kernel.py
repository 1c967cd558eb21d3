# {"name": "factory_ok_returns_kernel", "expect": "ok", "expected_exception_regex": "", "note": "the factory returns; the kernel does not", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def make_kernel(n):
  def kernel(x_ref, o_ref):
    o_ref[...] = x_ref[...] + n

  return kernel


def run():
  return pl.pallas_call(make_kernel(1), out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X + 1

# {"name": "helper_wraps_kernel_parameter_and_stores", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def launch(f, x):
  def kernel(x_ref, o_ref):
    o_ref[...] = f(x_ref[...])

  return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype), interpret=True)(x)


def add_one(v):
  return v + 1


def run():
  return launch(add_one, jnp.asarray(X))


def reference():
  return X + 1

# {"name": "list_of_kernels_ok", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def add_one(x_ref, o_ref):
  o_ref[...] = x_ref[...] + 1


def double(x_ref, o_ref):
  o_ref[...] = x_ref[...] * 2


def run():
  x = jnp.asarray(X)
  for kernel in (add_one, double):
    x = pl.pallas_call(kernel, out_shape=OUT, interpret=True)(x)
  return x


def reference():
  return (X + 1) * 2

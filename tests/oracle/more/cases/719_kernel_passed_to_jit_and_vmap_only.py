# {"name": "kernel_passed_to_jit_and_vmap_only", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x, y):
  return x + y


def other_kernel(x_ref, o_ref):
  o_ref[...] = x_ref[...]


def run():
  x = jax.jit(kernel)(jnp.asarray(X), jnp.asarray(X))
  x = jax.vmap(kernel)(x, x)
  return pl.pallas_call(other_kernel, out_shape=OUT, interpret=True)(x)


def reference():
  return X * 4

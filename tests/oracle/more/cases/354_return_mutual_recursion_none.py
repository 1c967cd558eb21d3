# {"name": "return_mutual_recursion_none", "expect": "ok", "expected_exception_regex": "", "note": "a cycle: nothing may be claimed about it", "lint": "silent", "group": "B-calls", "entry": "pallas_call", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def even(n, x_ref, o_ref):
  if n == 0:
    o_ref[...] = x_ref[...]
    return None
  return odd(n - 1, x_ref, o_ref)


def odd(n, x_ref, o_ref):
  return even(n - 1, x_ref, o_ref)


def kernel(x_ref, o_ref):
  return even(4, x_ref, o_ref)


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X

# {"name": "return_callback_parameter", "expect": "ok", "expected_exception_regex": "", "note": "the callable is a parameter", "lint": "silent", "group": "B-calls", "entry": "pallas_call", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
import functools
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(store, x_ref, o_ref):
  return store(x_ref, o_ref)


def plain_store(x_ref, o_ref):
  o_ref[...] = x_ref[...] + 1


def run():
  return pl.pallas_call(functools.partial(kernel, plain_store), out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X + 1

# {"name": "vmapped_inner_function", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/1038_vmapped_inner_function.py", "lint": "silent", "group": "B-calls", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  o_ref[...] = jax.vmap(lambda r: r * 2)(x_ref[...])


def reference():
  return X * 2


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))

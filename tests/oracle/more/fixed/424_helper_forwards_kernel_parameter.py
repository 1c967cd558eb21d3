# {"name": "helper_forwards_kernel_parameter", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/424_helper_forwards_kernel_parameter.py", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def launch(body, x):
  return pl.pallas_call(body, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype), interpret=True)(x)


def add_one(x_ref, o_ref):
  o_ref[...] = x_ref[...] + 1


def run():
  return launch(add_one, jnp.asarray(X))


def reference():
  return X + 1

# {"name": "starred_arguments", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/545_starred_arguments.py", "lint": "silent", "group": "E-specs", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, y_ref, o_ref):
  o_ref[...] = x_ref[...] + y_ref[...]


def launch(*arrays):
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(*arrays)


def run():
  return launch(jnp.asarray(X), jnp.asarray(X))


def reference():
  return X * 2

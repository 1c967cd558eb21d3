# {"name": "list_comprehension_two_outputs", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/673_list_comprehension_two_outputs.py", "lint": "silent", "group": "E-specs", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, a_ref, b_ref):
  a_ref[...], b_ref[...] = [x_ref[...] * n for n in (2, 3)]


def run():
  return pl.pallas_call(kernel, out_shape=[OUT, OUT], interpret=True)(jnp.asarray(X))


def reference():
  return (X * 2, X * 3)

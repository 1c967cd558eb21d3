# {"name": "star_refs_iter", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/1008_star_refs_iter.py", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(*refs):
  it = iter(refs)
  x_ref = next(it)
  o_ref = next(it)
  o_ref[...] = x_ref[...] + 1


def reference():
  return X + 1


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))

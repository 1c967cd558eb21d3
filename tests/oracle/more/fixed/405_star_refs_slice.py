# {"name": "star_refs_slice", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/405_star_refs_slice.py", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(*refs):
  *ins, o_ref = refs
  o_ref[...] = ins[0][...] + ins[1][...]


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X), jnp.asarray(X))


def reference():
  return X * 2

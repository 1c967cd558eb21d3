# {"name": "star_refs_ok", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(*refs):
  ins, outs = refs[:2], refs[2:]
  for out in outs:
    out[...] = ins[0][...] + ins[1][...]


def run():
  return pl.pallas_call(kernel, out_shape=[OUT, OUT], interpret=True)(jnp.asarray(X), jnp.asarray(X))


def reference():
  return (X * 2, X * 2)

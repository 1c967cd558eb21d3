# {"name": "refs_zip_store", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/1098_refs_zip_store.py", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(*refs):
  ins, outs = refs[:2], refs[2:]
  for i, o in zip(ins, outs):
    o[...] = i[...]


def run():
  x = jnp.asarray(X)
  return pl.pallas_call(kernel, out_shape=(OUT, OUT), interpret=True)(x, x)


def reference():
  return X, X

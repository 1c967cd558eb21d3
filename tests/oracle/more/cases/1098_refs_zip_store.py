# {"name": "refs_zip_store", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "", "lint": "report", "group": "C-callables", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
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
  return outs


def run():
  x = jnp.asarray(X)
  return pl.pallas_call(kernel, out_shape=(OUT, OUT), interpret=True)(x, x)


def reference():
  return X, X

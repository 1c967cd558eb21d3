# {"name": "dict_item_assigned", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/1085_dict_item_assigned.py", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def a(x_ref, o_ref):
  o_ref[...] = x_ref[...]


def b(x_ref, o_ref):
  o_ref[...] = x_ref[...] * 2


def run():
  table = {}
  table["a"] = a
  table["b"] = b
  return [pl.pallas_call(k, out_shape=OUT, interpret=True)(jnp.asarray(X)) for k in table.values()]


def reference():
  return [X, X * 2]

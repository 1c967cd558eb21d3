# {"name": "refs_namedtuple_wrap", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/1099_refs_namedtuple_wrap.py", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
from typing import NamedTuple
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


class Refs(NamedTuple):
  x: object
  o: object


def kernel(*refs):
  r = Refs(*refs)
  refs[1][...] = r.x[...] * 2


def reference():
  return X * 2


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))

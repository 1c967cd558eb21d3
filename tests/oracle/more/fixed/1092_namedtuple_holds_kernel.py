# {"name": "namedtuple_holds_kernel", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/1092_namedtuple_holds_kernel.py", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
from typing import NamedTuple
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


class Spec(NamedTuple):
  body: object
  shape: object


def double(x_ref, o_ref):
  o_ref[...] = x_ref[...] * 2


def run():
  spec = Spec(body=double, shape=OUT)
  return pl.pallas_call(spec.body, out_shape=spec.shape, interpret=True)(jnp.asarray(X))


def reference():
  return X * 2

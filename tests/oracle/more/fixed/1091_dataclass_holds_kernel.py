# {"name": "dataclass_holds_kernel", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/1091_dataclass_holds_kernel.py", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import dataclasses
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


from typing import Callable


@dataclasses.dataclass
class Spec:
  body: Callable
  shape: object


def double(x_ref, o_ref):
  o_ref[...] = x_ref[...] * 2


SPECS = [Spec(double, OUT)]


def run():
  return [pl.pallas_call(s.body, out_shape=s.shape, interpret=True)(jnp.asarray(X)) for s in SPECS]


def reference():
  return [X * 2]

# {"name": "match_class_pattern", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "D-control-flow", "entry": "pallas_call", "fix": "none", "reference": "both"}
import dataclasses
from functools import partial
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


@dataclasses.dataclass
class Add:
  n: float


def kernel(op, x_ref, o_ref):
  match op:
    case Add(n=n):
      o_ref[...] = x_ref[...] + n
    case _:
      return x_ref[...]


def run():
  return pl.pallas_call(partial(kernel, Add(1.0)), out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X + 1

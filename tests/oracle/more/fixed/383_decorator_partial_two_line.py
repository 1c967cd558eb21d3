# {"name": "decorator_partial_two_line", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/383_decorator_partial_two_line.py", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
import functools
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


@functools.partial(
    pl.pallas_call,
    grid=(2,),
    in_specs=[pl.BlockSpec((4, 128), lambda i: (i, 0))],
    out_specs=pl.BlockSpec((4, 128), lambda i: (i, 0)),
    out_shape=OUT,
    interpret=True,
)
def add_one(x_ref, o_ref):
  o_ref[...] = x_ref[...] + 1


def run():
  return add_one(jnp.asarray(X))


def reference():
  return X + 1

# {"name": "static_arith", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "D-control-flow", "entry": "pallas_call", "fix": "none", "reference": "both"}
from functools import partial
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref, *, block):
  n = x_ref.shape[0] // block
  if n * block != x_ref.shape[0]:
    return x_ref[...]
  if x_ref.shape[-1] % 128 != 0:
    return x_ref[...]
  if pl.cdiv(x_ref.shape[0], block) != 2:
    return x_ref[...]
  o_ref[...] = x_ref[...]


def run():
  return pl.pallas_call(partial(kernel, block=4), out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X

# {"name": "partial_keyword_splat", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/696_partial_keyword_splat.py", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
import functools
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


CONFIG = {"scale": 2.0, "offset": 1.0}


def kernel(x_ref, o_ref, *, scale, offset):
  o_ref[...] = x_ref[...] * scale + offset


def run():
  return pl.pallas_call(functools.partial(kernel, **CONFIG), out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X * 2 + 1

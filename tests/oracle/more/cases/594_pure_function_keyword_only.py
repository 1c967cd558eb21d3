# {"name": "pure_function_keyword_only", "expect": "other-error", "expected_exception_regex": "takes 1 positional argument but 2", "note": "", "lint": "report", "group": "G-siblings", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
import functools
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def scale(x_ref, *, by):
  return x_ref[...] * by


def run():
  return pl.pallas_call(functools.partial(scale, by=2.0), out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X * 2

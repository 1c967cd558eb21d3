# {"name": "lru_cache_kernel_factory", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/1037_lru_cache_kernel_factory.py", "lint": "silent", "group": "B-calls", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import functools
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


@functools.lru_cache
def make(n):
  def kernel(x_ref, o_ref):
    o_ref[...] = x_ref[...] * n
  return kernel


def run():
  return pl.pallas_call(make(4), out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X * 4

# {"name": "jit_of_partial", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "", "lint": "report", "group": "C-callables", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
import functools
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref, *, n):
  return x_ref[...] + n


def run():
  return pl.pallas_call(jax.jit(functools.partial(kernel, n=1)), out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X + 1

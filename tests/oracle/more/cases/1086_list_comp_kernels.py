# {"name": "list_comp_kernels", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "", "lint": "report", "group": "C-callables", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
from functools import partial
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def a(x_ref, o_ref):
  return x_ref[...]


def b(x_ref, o_ref):
  return x_ref[...] * 2


def run():
  fns = [partial(k) for k in (a, b)]
  x = jnp.asarray(X)
  return [pl.pallas_call(f, out_shape=OUT, interpret=True)(x) for f in fns]


def reference():
  return [X, X * 2]

# {"name": "sum_builtin", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "", "lint": "report", "group": "B-calls", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(a_ref, b_ref, o_ref):
  return sum(r[...] for r in (a_ref, b_ref))


def run():
  x = jnp.asarray(X)
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(x, x)


def reference():
  return X * 2

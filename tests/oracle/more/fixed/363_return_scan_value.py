# {"name": "return_scan_value", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/363_return_scan_value.py", "lint": "silent", "group": "B-calls", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  def step(carry, row):
    carry = carry + row
    return carry, carry

  o_ref[...] = lax.scan(step, jnp.zeros(128), x_ref[...])[1]


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return np.cumsum(X, axis=0)

# {"name": "fori_carry_pair", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "", "lint": "report", "group": "B-calls", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, s_ref, m_ref):
  def body(i, c):
    s, m = c
    row = x_ref[i, :]
    return s + row, jnp.maximum(m, row)
  return lax.fori_loop(0, 8, body, (jnp.zeros((128,), jnp.float32), jnp.full((128,), -jnp.inf, jnp.float32)))


def run():
  V = jax.ShapeDtypeStruct((128,), jnp.float32)
  return pl.pallas_call(kernel, out_shape=[V, V], interpret=True)(jnp.asarray(X))


def reference():
  return X.sum(0), X.max(0)

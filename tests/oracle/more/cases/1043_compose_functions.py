# {"name": "compose_functions", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "", "lint": "report", "group": "B-calls", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def compose(f, g):
  return lambda x: f(g(x))


act = compose(jnp.abs, lambda v: v - 5)


def kernel(x_ref, o_ref):
  return act(x_ref[...])


def reference():
  return np.abs(X - 5)


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))

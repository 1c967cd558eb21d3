# {"name": "plain_call_uses_the_value", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "rewriting the kernel would break the plain call", "lint": "report", "group": "C-callables", "entry": "pallas_call", "fix": "none", "reference": "none"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def add_one(x_ref, o_ref):
  return x_ref[...] + 1


def on_host(x):
  return add_one(x, None) * 2


def run():
  on_host(X)
  return pl.pallas_call(add_one, out_shape=OUT, interpret=True)(jnp.asarray(X))

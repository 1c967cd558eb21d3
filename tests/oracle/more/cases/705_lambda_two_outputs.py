# {"name": "lambda_two_outputs", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "a lambda has one expression; two stores in it would need a trick", "lint": "report", "group": "C-callables", "entry": "pallas_call", "fix": "none", "reference": "none"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def run():
  return pl.pallas_call(lambda x_ref, a_ref, b_ref: (x_ref[...], x_ref[...] + 1), out_shape=(OUT, OUT), interpret=True)(jnp.asarray(X))

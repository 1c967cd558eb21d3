# {"name": "jit_of_lambda_launch", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "", "lint": "report", "group": "C-callables", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


run_it = jax.jit(lambda x: pl.pallas_call(lambda i, o: i[...] * 2, out_shape=OUT, interpret=True)(x))


def run():
  return run_it(jnp.asarray(X))


def reference():
  return X * 2

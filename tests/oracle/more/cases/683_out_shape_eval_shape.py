# {"name": "out_shape_eval_shape", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "the structure of the output is known only from the parameters", "lint": "report", "group": "E-specs", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def f(x):
  return x + 1


def kernel(x_ref, o_ref):
  return f(x_ref[...])


def run():
  return pl.pallas_call(kernel, out_shape=jax.eval_shape(f, jnp.asarray(X)), interpret=True)(jnp.asarray(X))


def reference():
  return X + 1

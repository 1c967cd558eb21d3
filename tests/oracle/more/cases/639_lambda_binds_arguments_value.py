# {"name": "lambda_binds_arguments_value", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "the launch's kernel is the lambda, the value comes from body", "lint": "report", "group": "G-siblings", "entry": "pallas_call", "fix": "none", "reference": "none"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def body(x_ref, o_ref, scale):
  return x_ref[...] * scale


def run():
  return pl.pallas_call(lambda *refs: body(*refs, 2.0), out_shape=OUT, interpret=True)(jnp.asarray(X))

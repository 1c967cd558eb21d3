# {"name": "integer_input_float_value", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/681_integer_input_float_value.py", "lint": "silent", "group": "E-specs", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  o_ref[...] = (x_ref[...] / 2).astype(o_ref.dtype)


def run():
  return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.bfloat16), interpret=True)(jnp.asarray(X % 16, jnp.int32))


def reference():
  return np.asarray(jnp.asarray((X % 16) / 2, jnp.bfloat16))

# {"name": "test_helper_asserts_error", "expect": "ok", "expected_exception_regex": "", "note": "a deliberate error test: a finding is right, and is suppressed with a comment", "lint": "report", "group": "G-siblings", "entry": "pallas_call", "fix": "none", "reference": "none"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def bad_kernel(x_ref, o_ref):
  return x_ref[...]


def check_it_raises(f):
  try:
    f()
  except ValueError as error:
    return "should return None" in str(error)
  return False


def run():
  assert check_it_raises(lambda: pl.pallas_call(bad_kernel, out_shape=OUT, interpret=True)(jnp.asarray(X)))
  return X

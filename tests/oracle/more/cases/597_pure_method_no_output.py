# {"name": "pure_method_no_output", "expect": "other-error", "expected_exception_regex": "takes 2 positional arguments but 3 were given", "note": "", "lint": "report", "group": "G-siblings", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


class Op:
  def body(self, x_ref):
    return x_ref[...] + 1


def run():
  return pl.pallas_call(Op().body, out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X + 1

# {"name": "method_named_pallas_call", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


class Backend:
  def pallas_call(self, f, out_shape):
    return jax.jit(lambda x: f(x, None))


def kernel(x, _):
  return x + 1


def run():
  return Backend().pallas_call(kernel, out_shape=OUT)(jnp.asarray(X))


def reference():
  return X + 1

# {"name": "parameter_named_pl", "expect": "ok", "expected_exception_regex": "", "note": "inside launch, `pl` is a parameter", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


class Fake:
  @staticmethod
  def pallas_call(f, out_shape=None):
    return lambda x: f(x, None)


def launch(pl, x):
  return pl.pallas_call(kernel, out_shape=OUT)(x)


def kernel(x, _):
  return x[...] + 1


def run():
  return launch(Fake, jnp.asarray(X))


def reference():
  return X + 1

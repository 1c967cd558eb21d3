# {"name": "kernel_property_ok", "expect": "ok", "expected_exception_regex": "", "note": "the property returns; that is not a kernel's return", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
import functools
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


class Runner:
  n = 1

  @property
  def kernel(self):
    return functools.partial(store, n=self.n)


def store(x_ref, o_ref, *, n):
  o_ref[...] = x_ref[...] + n


def run():
  return pl.pallas_call(Runner().kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X + 1

# {"name": "callable_result_not_kernel", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "G-siblings", "entry": "pallas_call", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  o_ref[...] = x_ref[...] + 1


def compose(f, g):
  return lambda x: f(g(x))


launch = pl.pallas_call(kernel, out_shape=OUT, interpret=True)


def run():
  return compose(launch, lambda x: x * 2)(jnp.asarray(X))


def reference():
  return X * 2 + 1

# {"name": "helper_raises_or_none", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "B-calls", "entry": "pallas_call", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def check(condition):
  if not condition:
    raise ValueError("bad shape")
  return None


def kernel(x_ref, o_ref):
  o_ref[...] = x_ref[...]
  return check(x_ref.ndim == 2)


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X

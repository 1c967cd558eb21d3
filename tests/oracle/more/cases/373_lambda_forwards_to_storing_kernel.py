# {"name": "lambda_forwards_to_storing_kernel", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def body(x_ref, o_ref, *, scale):
  o_ref[...] = x_ref[...] * scale


def run():
  return pl.pallas_call(lambda *refs: body(*refs, scale=2.0), out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X * 2

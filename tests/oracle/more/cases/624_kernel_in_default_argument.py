# {"name": "kernel_in_default_argument", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "G-siblings", "entry": "pallas_call", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def store(x_ref, o_ref):
  o_ref[...] = x_ref[...] + 1


def launch(x, body=store):
  return pl.pallas_call(body, out_shape=OUT, interpret=True)(x)


def body(x):
  return x


def run():
  return launch(body(jnp.asarray(X)))


def reference():
  return X + 1

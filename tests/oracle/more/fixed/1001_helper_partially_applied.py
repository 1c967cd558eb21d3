# {"name": "helper_partially_applied", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/1001_helper_partially_applied.py", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
from functools import partial
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def launch(body, x, *, interpret):
  return pl.pallas_call(body, out_shape=OUT, interpret=interpret)(x)


launch_cpu = partial(launch, interpret=True)


def scale(x_ref, o_ref):
  y = x_ref[...]
  o_ref[...] = y * 3


def run():
  return launch_cpu(scale, jnp.asarray(X))


def reference():
  return X * 3

# {"name": "static_isinstance", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "D-control-flow", "entry": "pallas_call", "fix": "none", "reference": "both"}
from functools import partial
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


class Cfg:
  pass


class Other(Cfg):
  pass


def kernel(cfg, x_ref, o_ref):
  if isinstance(cfg, Other):
    return x_ref[...]
  o_ref[...] = x_ref[...]


def run():
  return pl.pallas_call(partial(kernel, Cfg()), out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X

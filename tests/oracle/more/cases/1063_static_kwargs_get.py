# {"name": "static_kwargs_get", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "D-control-flow", "entry": "pallas_call", "fix": "none", "reference": "both"}
from functools import partial
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref, **opts):
  if opts.get("returns"):
    return x_ref[...]
  if opts.get("returns", False):
    return x_ref[...]
  if "returns" in opts:
    return x_ref[...]
  if opts.pop("n", None) is not None:
    return x_ref[...]
  o_ref[...] = x_ref[...]


def run():
  return pl.pallas_call(partial(kernel, unused=1), out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X

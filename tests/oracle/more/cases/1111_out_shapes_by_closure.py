# {"name": "out_shapes_by_closure", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "E-specs", "entry": "pallas_call", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, a_ref, b_ref):
  a_ref[...] = x_ref[...]
  b_ref[...] = x_ref[...]


def run():
  outs = []
  specs = []

  def add(s):
    outs.append(s)
    specs.append(pl.BlockSpec(s.shape, lambda: (0, 0)))

  add(OUT)
  add(OUT)
  return pl.pallas_call(kernel, out_shape=outs, out_specs=specs, interpret=True)(jnp.asarray(X))


def reference():
  return X, X

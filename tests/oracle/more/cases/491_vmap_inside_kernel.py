# {"name": "vmap_inside_kernel", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "D-control-flow", "entry": "vmap", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  def row(v):
    return v + 1

  o_ref[...] = jax.vmap(row)(x_ref[...])


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X + 1

# {"name": "fori_body_named_kernel", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "D-control-flow", "entry": "fori_loop", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  def inner_kernel(i, o):
    return o + x_ref[i]

  o_ref[...] = jnp.broadcast_to(lax.fori_loop(0, 8, inner_kernel, jnp.zeros(128)), (8, 128))


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return np.broadcast_to(X.sum(0), (8, 128))

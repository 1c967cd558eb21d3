# {"name": "grad_inside_kernel", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "D-control-flow", "entry": "grad", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  def loss(v):
    return (v * v).sum()

  o_ref[...] = jax.grad(loss)(x_ref[...])


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X * 2

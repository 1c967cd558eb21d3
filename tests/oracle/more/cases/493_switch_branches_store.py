# {"name": "switch_branches_store", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "D-control-flow", "entry": "switch", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(i_ref, x_ref, o_ref):
  def one():
    o_ref[...] = x_ref[...]

  def two():
    o_ref[...] = x_ref[...] * 2

  lax.switch(i_ref[0], [one, two])


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.array([1], jnp.int32), jnp.asarray(X))


def reference():
  return X * 2

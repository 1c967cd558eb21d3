# {"name": "elementwise_decorator_stores", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def elementwise(f):
  def kernel(*refs):
    *ins, o_ref = refs
    o_ref[...] = f(*(ref[...] for ref in ins))

  def wrapped(*arrays):
    return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct(arrays[0].shape, arrays[0].dtype), interpret=True)(*arrays)

  return wrapped


@elementwise
def add(x, y):
  return x + y


def run():
  return add(jnp.asarray(X), jnp.asarray(X))


def reference():
  return X * 2

# {"name": "same_output_in_two_launches", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/711_same_output_in_two_launches.py", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  o_ref[...] = x_ref[...] + 1


def small(x):
  return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32), interpret=True)(x)


def blocked(x):
  spec = pl.BlockSpec((4, 128), lambda i: (i, 0))
  return pl.pallas_call(kernel, grid=(2,), in_specs=[spec], out_specs=spec, out_shape=OUT, interpret=True)(x)


def run():
  return small(blocked(jnp.asarray(X)))


def reference():
  return X + 2

# {"name": "named_tuple_input", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "", "lint": "report", "group": "E-specs", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


import typing


class Inputs(typing.NamedTuple):
  a: jax.Array
  b: jax.Array


def kernel(inputs, o_ref):
  return inputs.a[...] + inputs.b[...]


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(Inputs(jnp.asarray(X), jnp.asarray(X)))


def reference():
  return X * 2

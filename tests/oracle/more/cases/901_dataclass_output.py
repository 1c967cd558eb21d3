# {"name": "dataclass_output", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "a registered dataclass is one parameter with the same fields", "lint": "report", "group": "E-specs", "entry": "pallas_call", "fix": "golden", "reference": "fixed", "since": "0.4.38"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


import dataclasses


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Pair:
  a: object
  b: object


def kernel(x_ref, out):
  return Pair(x_ref[...] + 1, b=x_ref[...] * 2)


def run():
  got = pl.pallas_call(kernel, out_shape=Pair(OUT, OUT), interpret=True)(jnp.asarray(X))
  return got.a, got.b


def reference():
  return X + 1, X * 2

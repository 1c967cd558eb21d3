# {"name": "dataclass_output", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "one parameter: a dataclass of refs", "lint": "report", "group": "E-specs", "entry": "pallas_call", "fix": "none", "reference": "none", "since": "0.4.38"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


import dataclasses


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Stats:
  low: object
  high: object


def kernel(x_ref, o):
  return Stats(x_ref[...] - 1, x_ref[...] + 1)


def run():
  out = pl.pallas_call(kernel, out_shape=Stats(OUT, OUT), interpret=True)(jnp.asarray(X))
  return out.low, out.high

# {"name": "alias_out_of_range_and_returns", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "the returned value is reported before the aliases", "lint": "report", "group": "G-siblings", "entry": "pallas_call", "fix": "none", "reference": "none"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  return x_ref[...]


def run():
  return pl.pallas_call(kernel, out_shape=OUT, input_output_aliases={1: 0}, interpret=True)(jnp.asarray(X))

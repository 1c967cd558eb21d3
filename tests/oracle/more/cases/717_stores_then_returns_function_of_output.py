# {"name": "stores_then_returns_function_of_output", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "the output holds an intermediate value; the result of the kernel is either", "lint": "report", "group": "D-control-flow", "entry": "pallas_call", "fix": "none", "reference": "none"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  o_ref[...] = x_ref[...]
  return o_ref[...] * 2


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))

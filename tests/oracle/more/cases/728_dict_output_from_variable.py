# {"name": "dict_output_from_variable", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "", "lint": "report", "group": "E-specs", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, out):
  result = {"a": x_ref[...] + 1, "b": x_ref[...] + 2}
  return result


def run():
  return pl.pallas_call(kernel, out_shape={"b": OUT, "a": OUT}, interpret=True)(jnp.asarray(X))


def reference():
  return {"a": X + 1, "b": X + 2}

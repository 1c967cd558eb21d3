# {"name": "dict_output_from_helper", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "a dict that a helper returns is taken apart by key", "lint": "report", "group": "E-specs", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def halves(v):
  return {"a": v + 1, "b": v * 2}


def kernel(x_ref, out):
  return halves(x_ref[...])


def run():
  return pl.pallas_call(kernel, out_shape={"a": OUT, "b": OUT}, interpret=True)(jnp.asarray(X))


def reference():
  return {"a": X + 1, "b": X * 2}

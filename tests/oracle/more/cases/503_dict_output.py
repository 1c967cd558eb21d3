# {"name": "dict_output", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "one parameter that is a dict of refs", "lint": "report", "group": "E-specs", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o):
  return {"y": x_ref[...] + 1, "z": x_ref[...] * 2}


def run():
  return pl.pallas_call(kernel, out_shape={"y": OUT, "z": OUT}, interpret=True)(jnp.asarray(X))


def reference():
  return {"y": X + 1, "z": X * 2}

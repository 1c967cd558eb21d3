# {"name": "out_shape_tree_map", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "inputs and outputs can be told apart only by running the launch", "lint": "report", "group": "E-specs", "entry": "pallas_call", "fix": "none", "reference": "none"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, y_ref, a_ref, b_ref):
  return x_ref[...] + 1, y_ref[...] + 2


def launch(*arrays):
  out_shape = jax.tree.map(lambda a: jax.ShapeDtypeStruct(a.shape, a.dtype), arrays)
  return pl.pallas_call(kernel, out_shape=out_shape, interpret=True)(*arrays)


def run():
  return launch(jnp.asarray(X), jnp.asarray(X))

# {"name": "return_tree_map_leaf", "expect": "ok", "expected_exception_regex": "", "note": "over a leaf, tree.map returns what the function returns: None", "lint": "silent", "group": "B-calls", "entry": "pallas_call", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  return jax.tree.map(lambda s, d: d.__setitem__(..., s[...]), x_ref, o_ref)


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X

# {"name": "block_spec_swapped_arguments", "expect": "other-error", "expected_exception_regex": "object is not iterable|object of type 'function' has no len\\(\\)", "note": "", "lint": "silent", "group": "G-siblings", "entry": "pallas_call", "fix": "none", "reference": "none"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  o_ref[...] = x_ref[...]


def run():
  return pl.pallas_call(kernel, out_shape=OUT, grid=(2,), in_specs=[pl.BlockSpec(lambda i: (i, 0), (4, 128))], out_specs=pl.BlockSpec((4, 128), lambda i: (i, 0)), interpret=True)(jnp.asarray(X))

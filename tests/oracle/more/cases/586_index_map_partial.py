# {"name": "index_map_partial", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "F-entry-points", "entry": "BlockSpec", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
import functools
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel_index(offset, i):
  return i + offset, 0


def kernel(x_ref, o_ref):
  o_ref[...] = x_ref[...] + 1


def run():
  spec = pl.BlockSpec((4, 128), functools.partial(kernel_index, 0))
  return pl.pallas_call(kernel, out_shape=OUT, grid=(2,), in_specs=[spec], out_specs=spec, interpret=True)(jnp.asarray(X))


def reference():
  return X + 1

# {"name": "index_map_also_called", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "C-callables", "entry": "BlockSpec", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel_index_map(i):
  return i, 0


def kernel(x_ref, o_ref):
  row, _ = kernel_index_map(0)
  o_ref[...] = x_ref[...] + row


def run():
  spec = pl.BlockSpec((4, 128), kernel_index_map)
  return pl.pallas_call(kernel, out_shape=OUT, grid=(2,), in_specs=[spec], out_specs=spec, interpret=True)(jnp.asarray(X))


def reference():
  return X

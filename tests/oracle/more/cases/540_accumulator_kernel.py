# {"name": "accumulator_kernel", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "", "lint": "report", "group": "E-specs", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, y_ref, o_ref, acc_ref):
  @pl.when(pl.program_id(0) == 0)
  def _():
    acc_ref[...] = jnp.zeros_like(acc_ref)

  acc_ref[...] += x_ref[...] @ y_ref[...]
  return acc_ref[...]


def run():
  return pl.pallas_call(
      kernel,
      grid=(2,),
      in_specs=[pl.BlockSpec((8, 64), lambda k: (0, k)), pl.BlockSpec((64, 8), lambda k: (k, 0))],
      out_specs=pl.BlockSpec((8, 8), lambda k: (0, 0)),
      out_shape=jax.ShapeDtypeStruct((8, 8), jnp.float32),
      scratch_shapes=[pltpu.VMEM((8, 8), jnp.float32)],
      interpret=True,
  )(jnp.asarray(X), jnp.asarray(X.T))


def reference():
  return X @ X.T

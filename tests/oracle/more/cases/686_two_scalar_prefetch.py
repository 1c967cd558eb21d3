# {"name": "two_scalar_prefetch", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "", "lint": "report", "group": "E-specs", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(lengths_ref, starts_ref, x_ref, o_ref):
  return x_ref[...] * lengths_ref[0].astype(jnp.float32) + starts_ref[0].astype(jnp.float32)


def run():
  block = pl.BlockSpec((8, 128), lambda i, lengths, starts: (0, 0))
  grid_spec = pltpu.PrefetchScalarGridSpec(num_scalar_prefetch=2, grid=(1,), in_specs=[block], out_specs=block)
  call = pl.pallas_call(kernel, grid_spec=grid_spec, out_shape=OUT, interpret=True)
  return call(jnp.array([2], jnp.int32), jnp.array([5], jnp.int32), jnp.asarray(X))


def reference():
  return X * 2 + 5

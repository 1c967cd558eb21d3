# {"name": "prefetch_grid_spec_scratch", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/511_prefetch_grid_spec_scratch.py", "lint": "silent", "group": "E-specs", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(s_ref, x_ref, o_ref, acc_ref):
  acc_ref[...] = x_ref[...] * s_ref[0].astype(jnp.float32)
  o_ref[...] = acc_ref[...]


def run():
  spec = pltpu.PrefetchScalarGridSpec(
      num_scalar_prefetch=1,
      grid=(2,),
      in_specs=[pl.BlockSpec((4, 128), lambda i, s: (i, 0))],
      out_specs=pl.BlockSpec((4, 128), lambda i, s: (i, 0)),
      scratch_shapes=[pltpu.VMEM((4, 128), jnp.float32)],
  )
  return pl.pallas_call(kernel, out_shape=OUT, grid_spec=spec, interpret=True)(jnp.array([3], jnp.int32), jnp.asarray(X))


def reference():
  return X * 3

# {"name": "too_few_in_specs", "expect": "other-error", "expected_exception_regex": "Pytree for `in_specs` and `inputs` do not match|Pytree for `in_specs` and inputs do not match", "note": "", "lint": "silent", "group": "G-siblings", "entry": "pallas_call", "fix": "none", "reference": "none"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, y_ref, o_ref):
  o_ref[...] = x_ref[...] + y_ref[...]


def run():
  return pl.pallas_call(kernel, out_shape=OUT, in_specs=[pl.BlockSpec()], interpret=True)(jnp.asarray(X), jnp.asarray(X))

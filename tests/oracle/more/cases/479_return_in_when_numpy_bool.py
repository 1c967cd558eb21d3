# {"name": "return_in_when_numpy_bool", "expect": "other-error", "expected_exception_regex": "cond branch outputs must have the same pytree structure|true_fun and false_fun output must have identical types|true_fun (and false_fun )?output must have same type structure", "note": "", "lint": "report", "group": "D-control-flow", "entry": "when", "fix": "none", "reference": "none"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  o_ref[...] = x_ref[...]

  @pl.when(np.bool_(True))
  def _():
    return x_ref[...]


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))

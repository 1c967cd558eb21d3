# {"name": "when_called_directly_with_value", "expect": "other-error", "expected_exception_regex": "cond branch outputs must have the same pytree structure|true_fun and false_fun output must have identical types|true_fun (and false_fun )?output must have same type structure", "note": "", "lint": "report", "group": "D-control-flow", "entry": "when", "fix": "none", "reference": "none"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  def body():
    return x_ref[...]

  o_ref[...] = x_ref[...]
  pl.when(x_ref[0, 0] >= 0)(body)


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))

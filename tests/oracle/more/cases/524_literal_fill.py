# {"name": "literal_fill", "expect": "returns", "expected_exception_regex": "The kernel function in .* should return None", "note": "a literal has to be spread over the block: it may be meant as a status, too", "lint": "report", "group": "E-specs", "entry": "pallas_call", "fix": "none", "reference": "none"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(o_ref):
  return 1.0


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)()

# {"name": "private_module_import", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/701_private_module_import.py", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


from jax._src.pallas.pallas_call import pallas_call


def kernel(x_ref, o_ref):
  o_ref[...] = x_ref[...] + 1


def run():
  return pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X + 1

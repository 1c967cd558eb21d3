# {"name": "import_try_except", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/403_import_try_except.py", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


try:
  from jax.experimental import pallas as pallas_module
except ImportError:
  pallas_module = None


def kernel(x_ref, o_ref):
  o_ref[...] = x_ref[...] + 1


def run():
  return pallas_module.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X + 1

# {"name": "tab_indentation", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/550_tab_indentation.py", "lint": "silent", "group": "E-specs", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
	if x_ref.ndim == 2:
		o_ref[...] = x_ref[...] + 1
		return
	o_ref[...] = x_ref[...]


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X + 1

# {"name": "dict_output_early_return", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/727_dict_output_early_return.py", "lint": "silent", "group": "E-specs", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


FAST = True


def kernel(x_ref, out):
  if FAST:
    out["a"][...], out["b"][...] = x_ref[...] + 1, x_ref[...] + 2
    return
  out["a"][...] = x_ref[...]
  out["b"][...] = x_ref[...]


def run():
  return pl.pallas_call(kernel, out_shape={"a": OUT, "b": OUT}, interpret=True)(jnp.asarray(X))


def reference():
  return {"a": X + 1, "b": X + 2}

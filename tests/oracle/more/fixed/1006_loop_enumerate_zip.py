# {"name": "loop_enumerate_zip", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/1006_loop_enumerate_zip.py", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def add(x_ref, o_ref):
  o_ref[...] = x_ref[...] + 1


def mul(x_ref, o_ref):
  o_ref[...] = x_ref[...] * 2


def run():
  out = []
  for i, (k, name) in enumerate(zip((add, mul), ("a", "m"))):
    out.append(pl.pallas_call(k, out_shape=OUT, interpret=True, name=name)(jnp.asarray(X)))
  return out


def reference():
  return [X + 1, X * 2]

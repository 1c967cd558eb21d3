# {"name": "kernel_from_dict_ok", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def add_one(x_ref, o_ref):
  o_ref[...] = x_ref[...] + 1


def plain(x):
  return x + 1


KERNELS = {"add": add_one}
PLAIN = {"add": plain}


def run():
  return PLAIN["add"](pl.pallas_call(KERNELS["add"], out_shape=OUT, interpret=True)(jnp.asarray(X)))


def reference():
  return X + 2

# {"name": "function_named_kernel_never_launched", "expect": "ok", "expected_exception_regex": "", "note": "names do not make a kernel", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def softmax_kernel(x, o):
  return jax.nn.softmax(x) * o


def kernel(x_ref, o_ref):
  o_ref[...] = x_ref[...] + 1


def my_kernel(x_ref, o_ref):
  return x_ref + o_ref


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X + 1

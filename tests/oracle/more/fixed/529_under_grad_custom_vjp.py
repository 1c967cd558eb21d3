# {"name": "under_grad_custom_vjp", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/529_under_grad_custom_vjp.py", "lint": "silent", "group": "E-specs", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, o_ref):
  o_ref[...] = x_ref[...] * x_ref[...]


@jax.custom_vjp
def square(x):
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(x)


def square_forward(x):
  return square(x), x


def square_backward(x, g):
  return (2 * x * g,)


square.defvjp(square_forward, square_backward)


def run():
  return jax.grad(lambda x: square(x).sum())(jnp.asarray(X))


def reference():
  return 2 * X

# {"name": "custom_vjp_functions_return", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "F-entry-points", "entry": "pallas_call", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def forward_kernel(x_ref, o_ref):
  o_ref[...] = x_ref[...] * 2


@jax.custom_vjp
def double(x):
  return pl.pallas_call(forward_kernel, out_shape=OUT, interpret=True)(x)


def double_fwd(x):
  return double(x), None


def double_bwd(_, g):
  return (g * 2,)


double.defvjp(double_fwd, double_bwd)


def run():
  return jax.grad(lambda x: double(x).sum())(jnp.asarray(X))


def reference():
  return np.full((8, 128), 2, np.float32)

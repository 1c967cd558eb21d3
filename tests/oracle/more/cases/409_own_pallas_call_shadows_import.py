# {"name": "own_pallas_call_shadows_import", "expect": "ok", "expected_exception_regex": "", "note": "the import is shadowed by a function that stores the result", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "none", "reference": "both"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


from jax.experimental.pallas import pallas_call

_launch = pallas_call


def pallas_call(f, **options):  # noqa: F811
  def stored(x_ref, o_ref):
    o_ref[...] = f(x_ref)

  return _launch(stored, **options)


def kernel(x_ref):
  return x_ref[...] + 1


def run():
  return pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X + 1

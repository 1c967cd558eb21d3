# {"name": "einsum_and_type_annotation", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/748_einsum_and_type_annotation.py", "lint": "silent", "group": "A-forms", "entry": "pallas_call", "fix": "golden", "reference": "fixed"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


def kernel(x_ref, y_ref, o_ref) -> None:
  result: jax.Array = jnp.einsum("ij,ij->ij", x_ref[...], y_ref[...])
  o_ref[...] = result


def run():
  return pl.pallas_call(kernel, out_shape=OUT, interpret=True)(jnp.asarray(X), jnp.asarray(X))


def reference():
  return X * X

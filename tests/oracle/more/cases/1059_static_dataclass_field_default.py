# {"name": "static_dataclass_field_default", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "D-control-flow", "entry": "pallas_call", "fix": "none", "reference": "both"}
import dataclasses
from functools import partial
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


@dataclasses.dataclass(frozen=True)
class Cfg:
  n: int = dataclasses.field(default=1)
  returns: bool = dataclasses.field(default=False)


def kernel(x_ref, o_ref, *, cfg):
  if cfg.returns:
    return x_ref[...] * cfg.n
  o_ref[...] = x_ref[...] * cfg.n


def run():
  return pl.pallas_call(partial(kernel, cfg=Cfg(n=2)), out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X * 2

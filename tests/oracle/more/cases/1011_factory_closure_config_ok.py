# {"name": "factory_closure_config_ok", "expect": "ok", "expected_exception_regex": "", "note": "", "lint": "silent", "group": "C-callables", "entry": "pallas_call", "fix": "none", "reference": "both"}
import dataclasses
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


@dataclasses.dataclass(frozen=True)
class Config:
  factor: int = 2
  bias: bool = True


def make_kernel(cfg):
  if cfg.bias:
    def kernel(x_ref, o_ref):
      o_ref[...] = x_ref[...] * cfg.factor + 1
  else:
    def kernel(x_ref, o_ref):
      return x_ref[...] * cfg.factor
  return kernel


def run():
  return pl.pallas_call(make_kernel(Config()), out_shape=OUT, interpret=True)(jnp.asarray(X))


def reference():
  return X * 2 + 1

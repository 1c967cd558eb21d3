# {"name": "pl_kernel_partial_decorator", "expect": "ok", "expected_exception_regex": "", "note": "golden rewrite of cases/1009_pl_kernel_partial_decorator.py", "lint": "silent", "group": "C-callables", "entry": "pl.kernel", "fix": "golden", "reference": "fixed", "since": "0.10.2"}
import functools
from functools import partial
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


mesh = pltpu.create_tensorcore_mesh("core", num_cores=1)


@functools.partial(pl.kernel, out_type=[OUT, OUT], mesh=mesh, interpret=True)
def add(x_ref, *outs):
  outs[0][...], outs[1][...] = x_ref[...] + 1, x_ref[...] * 2


def run():
  return add(jnp.asarray(X))


def reference():
  return [X + 1, X * 2]

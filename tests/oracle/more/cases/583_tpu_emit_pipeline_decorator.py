# {"name": "tpu_emit_pipeline_decorator", "expect": "ok", "expected_exception_regex": "", "note": "NO ERROR: dropped", "lint": "report", "group": "F-entry-points", "entry": "emit_pipeline", "fix": "none", "reference": "none", "since": "0.9.2"}
import jax
import jax.numpy as jnp
import numpy as np
import functools
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


from jax._src.pallas.mosaic import tpu_info as _ti

_ti.registry["cpu"] = lambda: _ti.get_tpu_info_for_chip(_ti.ChipVersion.TPU_V5P, 1)
SPEC = pl.BlockSpec((4, 128), lambda i: (i, 0))


def kernel(x_ref, o_ref):
  @functools.partial(pltpu.emit_pipeline, grid=(2,), in_specs=[SPEC], out_specs=[SPEC])
  def pipeline(i_ref, out_ref):
    return i_ref[...] + 1

  pipeline(x_ref, o_ref)


def run():
  return pl.pallas_call(kernel, out_shape=OUT, in_specs=[pl.BlockSpec(memory_space=pl.ANY)], out_specs=pl.BlockSpec(memory_space=pl.ANY), interpret=pltpu.InterpretParams())(jnp.asarray(X))

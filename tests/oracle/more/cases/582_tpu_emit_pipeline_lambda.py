# {"name": "tpu_emit_pipeline_lambda", "expect": "ok", "expected_exception_regex": "", "note": "NO ERROR: dropped", "lint": "report", "group": "F-entry-points", "entry": "emit_pipeline", "fix": "none", "reference": "none", "since": "0.9.2"}
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
OUT = jax.ShapeDtypeStruct((8, 128), jnp.float32)


from jax._src.pallas.mosaic import tpu_info as _ti

_ti.registry["cpu"] = lambda: _ti.get_tpu_info_for_chip(_ti.ChipVersion.TPU_V5P, 1)


def kernel(x_ref, o_ref):
  spec = pl.BlockSpec((4, 128), lambda i: (i, 0))
  pltpu.emit_pipeline(lambda i_ref, out_ref: i_ref[...] + 1, grid=(2,), in_specs=[spec], out_specs=[spec])(x_ref, o_ref)


def run():
  return pl.pallas_call(kernel, out_shape=OUT, in_specs=[pl.BlockSpec(memory_space=pl.ANY)], out_specs=pl.BlockSpec(memory_space=pl.ANY), interpret=pltpu.InterpretParams())(jnp.asarray(X))

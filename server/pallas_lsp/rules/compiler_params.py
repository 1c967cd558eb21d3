"""PAL110: `compiler_params` is a dict."""

from __future__ import annotations

from collections.abc import Iterator

from pallas_lsp.config import Settings
from pallas_lsp.findings import Finding, Severity
from pallas_lsp.rules.base import Rule
from pallas_lsp.rules.launches import Mistake, argument, head, mistakes
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.launches import Launch
from pallas_lsp.semantics.values import Mapping


class CompilerParams(Rule):
    """`compiler_params` is a dict.

    ## What it does
    Reports `compiler_params` that is a dict, as it was up to JAX 0.6.0, unless the file is written for that. Now it is
    an object of a class of the backend: `pltpu.CompilerParams`, `plgpu.CompilerParams`.

    ## What JAX says
    ```text
    unhashable type: 'dict'
    ```

    ## Example
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl
    from jax.experimental.pallas import tpu as pltpu

    def copy(x_ref, o_ref):
        o_ref[...] = x_ref[...]

    x = jnp.arange(8.0)
    OUT = jax.ShapeDtypeStruct((8,), jnp.float32)
    PARAMS = dict(mosaic=dict(vmem_limit_bytes=2**20))
    y = pl.pallas_call(copy, out_shape=OUT, compiler_params=PARAMS, interpret=True)(x)
    ```

    ## Fixed
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl
    from jax.experimental.pallas import tpu as pltpu

    def copy(x_ref, o_ref):
        o_ref[...] = x_ref[...]

    x = jnp.arange(8.0)
    OUT = jax.ShapeDtypeStruct((8,), jnp.float32)
    PARAMS = pltpu.CompilerParams(vmem_limit_bytes=2**20)
    y = pl.pallas_call(copy, out_shape=OUT, compiler_params=PARAMS, interpret=True)(x)
    ```
    """

    code = "PAL110"
    name = "compiler-params"
    severity = Severity.ERROR

    def check(self, analysis: Analysis, settings: Settings) -> Iterator[Finding]:
        """One finding for each launch."""
        return mistakes(self, analysis, _judge) if analysis.target >= (0, 6, 1) else iter(())


def _judge(launch: Launch) -> Iterator[Mistake]:
    if isinstance(launch.named.get("compiler_params"), Mapping):
        message = (
            "unhashable type: 'dict': `compiler_params` is an object of the backend's class, such as"
            " `pltpu.CompilerParams(...)`."
        )
        yield Mistake(argument(launch, "compiler_params") or head(launch), message)

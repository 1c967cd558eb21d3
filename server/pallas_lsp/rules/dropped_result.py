"""PAL002: JAX drops what a kernel or body returns."""

from __future__ import annotations

from collections.abc import Iterator

from pallas_lsp.config import Settings
from pallas_lsp.findings import Finding, Severity
from pallas_lsp.rules.base import Rule
from pallas_lsp.rules.returns import finding, remedy, returned_values
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.jax_api import Outcome
from pallas_lsp.semantics.kernels import kernel_name, stores_nothing
from pallas_lsp.semantics.values import is_leafless


class DroppedResult(Rule):
    """The value that a kernel or pipeline body returns is lost, and its output is never written.

    ## What it does
    Reports a `return` of a value in a function for which JAX ignores the result without a word: the body of
    `plgpu.kernel`, `pltpu.emit_pipeline` and `plgpu.emit_pipeline` without a carry. It is reported only where nothing
    has been stored into an output Ref, so that the output keeps whatever was in memory.

    ## What JAX says
    Nothing. The output is uninitialised; in interpret mode it is NaN.

    ## Example
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental.pallas import mosaic_gpu as plgpu

    def add_one(x_ref, o_ref):
        return x_ref[...] + 1

    x = jnp.arange(128.0)
    launch = plgpu.kernel(add_one, out_type=jax.ShapeDtypeStruct((128,), jnp.float32))
    program = jax.make_jaxpr(launch)(x)
    ```

    ## Fixed
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental.pallas import mosaic_gpu as plgpu

    def add_one(x_ref, o_ref):
        o_ref[...] = x_ref[...] + 1

    x = jnp.arange(128.0)
    launch = plgpu.kernel(add_one, out_type=jax.ShapeDtypeStruct((128,), jnp.float32))
    program = jax.make_jaxpr(launch)(x)
    ```
    """

    code = "PAL002"
    name = "dropped-result"
    severity = Severity.WARNING

    def check(self, analysis: Analysis, settings: Settings) -> Iterator[Finding]:
        """One finding for each return whose value is lost while an output is unwritten."""
        for ways in returned_values(analysis, Outcome.DROPS):
            lost = [way for way in ways if stores_nothing(way) and not is_leafless(way.returned.value)]
            if lost:
                way = lost[0]
                message = (
                    f"`{way.launch.row.short_name}` ignores what `{kernel_name(way.run)}` returns:"
                    f" the value is lost and the output is never written.{remedy(way)}"
                )
                yield finding(self, analysis, lost, message, fixable=True)

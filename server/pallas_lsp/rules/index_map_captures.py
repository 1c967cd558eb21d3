"""PAL206: an index map computes with an array from outside."""

from __future__ import annotations

from collections.abc import Iterator

from pallas_lsp.config import Settings
from pallas_lsp.findings import Finding, Severity
from pallas_lsp.rules.base import Rule
from pallas_lsp.rules.launches import Mistake, Spot, mistakes
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.events import Captured
from pallas_lsp.semantics.launches import Launch


class IndexMapCaptures(Rule):
    """An index map computes with an array from outside.

    ## What it does
    Reports an array of JAX that an index map uses. Python numbers are fine; an array of indices is passed as a scalar
    prefetch argument, and the index map gets its Ref.

    ## What JAX says
    ```text
    must not capture constants: [Array([0, 1], dtype=int32)]
    ```

    ## Example
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    STEPS = jnp.array([0, 1])

    def copy(x_ref, o_ref):
        o_ref[...] = x_ref[...]

    x = jnp.arange(64.0).reshape(8, 8)
    OUT = jax.ShapeDtypeStruct((8, 8), jnp.float32)
    SPEC = pl.BlockSpec((4, 8), lambda i: (STEPS[i], 0))
    y = pl.pallas_call(copy, out_shape=OUT, grid=(2,), in_specs=[SPEC], out_specs=SPEC, interpret=True)(x)
    ```

    ## Fixed
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    STEPS = jnp.array([0, 1])

    def copy(x_ref, o_ref):
        o_ref[...] = x_ref[...]

    x = jnp.arange(64.0).reshape(8, 8)
    OUT = jax.ShapeDtypeStruct((8, 8), jnp.float32)
    SPEC = pl.BlockSpec((4, 8), lambda i: (i, 0))
    y = pl.pallas_call(copy, out_shape=OUT, grid=(2,), in_specs=[SPEC], out_specs=SPEC, interpret=True)(x)
    ```
    """

    code = "PAL206"
    name = "index-map-captures"
    severity = Severity.ERROR

    def check(self, analysis: Analysis, settings: Settings) -> Iterator[Finding]:
        """One finding for each launch."""
        return mistakes(self, analysis, _judge)


def _judge(launch: Launch) -> Iterator[Mistake]:
    for block in launch.blocks:
        for event in block.events:
            if isinstance(event.what, Captured) and hasattr(event.node, "lineno"):
                message = (
                    "Index maps must not capture constants: this is an array. Pass it as scalar prefetch, by"
                    " `pltpu.PrefetchScalarGridSpec`."
                )
                yield Mistake(Spot(event.node, event.chunk, event.path), message)

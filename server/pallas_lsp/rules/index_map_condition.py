"""PAL207: an index map decides by an index."""

from __future__ import annotations

from collections.abc import Iterator

from pallas_lsp.config import Settings
from pallas_lsp.findings import Finding, Severity
from pallas_lsp.rules.base import Rule
from pallas_lsp.rules.launches import Mistake, Spot, mistakes
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.events import Demand, Demanded
from pallas_lsp.semantics.launches import Launch


class IndexMapCondition(Rule):
    """An index map decides by an index.

    ## What it does
    Reports Python conditions on the indices that an index map gets: `if`, `and`, `or`, `not`, `min` and `max`. The
    index map is called once, with indices that are not known yet.

    ## What JAX says
    ```text
    Attempted boolean conversion of traced array with shape bool[]
    ```

    ## Example
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def copy(x_ref, o_ref):
        o_ref[...] = x_ref[...]

    x = jnp.arange(64.0).reshape(8, 8)
    OUT = jax.ShapeDtypeStruct((8, 8), jnp.float32)
    SPEC = pl.BlockSpec((4, 8), lambda i: (0, 0) if i == 0 else (i, 0))
    y = pl.pallas_call(copy, out_shape=OUT, grid=(2,), in_specs=[SPEC], out_specs=SPEC, interpret=True)(x)
    ```

    ## Fixed
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def copy(x_ref, o_ref):
        o_ref[...] = x_ref[...]

    x = jnp.arange(64.0).reshape(8, 8)
    OUT = jax.ShapeDtypeStruct((8, 8), jnp.float32)
    SPEC = pl.BlockSpec((4, 8), lambda i: (jnp.where(i == 0, 0, i), 0))
    y = pl.pallas_call(copy, out_shape=OUT, grid=(2,), in_specs=[SPEC], out_specs=SPEC, interpret=True)(x)
    ```
    """

    code = "PAL207"
    name = "index-map-condition"
    severity = Severity.ERROR

    def check(self, analysis: Analysis, settings: Settings) -> Iterator[Finding]:
        """One finding for each launch."""
        return mistakes(self, analysis, _judge)


def _judge(launch: Launch) -> Iterator[Mistake]:
    for block in launch.blocks:
        for event in block.events:
            what = event.what
            if isinstance(what, Demanded) and what.demand is Demand.TRUTH and hasattr(event.node, "lineno"):
                message = (
                    f"Attempted boolean conversion of traced array: `{what.by}` needs an index that is not known yet."
                    " Use `jnp.where`, `jnp.minimum` or `jax.lax.select`."
                )
                yield Mistake(Spot(event.node, event.chunk, event.path), message)

"""PAL202: an index map gives another number of indices than the block has dimensions."""

from __future__ import annotations

from collections.abc import Iterator

from pallas_lsp.config import Settings
from pallas_lsp.findings import Finding, Severity
from pallas_lsp.rules.base import Rule
from pallas_lsp.rules.index_maps import results_of
from pallas_lsp.rules.launches import Mistake, mistakes
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.launches import Launch
from pallas_lsp.semantics.values import is_none


class IndexMapResults(Rule):
    """An index map gives another number of indices than the block has dimensions.

    ## What it does
    Reports an index map that gives too many or too few block indices, that gives them in a tuple inside a tuple, or
    that has no `return`. It gives one for each item of the block shape, those that are None included.

    ## What JAX says
    ```text
    must return 2 values to match block_shape
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
    SPEC = pl.BlockSpec((4, 8), lambda i: i)
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
    SPEC = pl.BlockSpec((4, 8), lambda i: (i, 0))
    y = pl.pallas_call(copy, out_shape=OUT, grid=(2,), in_specs=[SPEC], out_specs=SPEC, interpret=True)(x)
    ```
    """

    code = "PAL202"
    name = "index-map-results"
    severity = Severity.ERROR

    def check(self, analysis: Analysis, settings: Settings) -> Iterator[Finding]:
        """One finding for each launch."""
        return mistakes(self, analysis, _judge)


def _judge(launch: Launch) -> Iterator[Mistake]:
    for block in launch.blocks:
        for results in results_of(block):
            if block.rank is None or len(results.items) == block.rank:
                continue
            missing = " It returns nothing." if len(results.items) == 1 and is_none(results.items[0]) else ""
            yield Mistake(
                results.spot,
                f"Index map function {results.name} must return {block.rank} values to match block_shape. Currently"
                f" returning {len(results.items)} values.{missing}",
            )

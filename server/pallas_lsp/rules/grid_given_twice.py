"""PAL105: `grid_spec` is given together with what belongs into it."""

from __future__ import annotations

from collections.abc import Iterator

from pallas_lsp.config import Settings
from pallas_lsp.findings import Finding, Severity
from pallas_lsp.rules.base import Rule
from pallas_lsp.rules.launches import Mistake, argument, count, head, mistakes
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.launches import Launch
from pallas_lsp.semantics.values import NONE, Constant


class GridGivenTwice(Rule):
    """`grid_spec` is given together with what belongs into it.

    ## What it does
    Reports a launch that has a `grid_spec` and one of `grid`, `in_specs`, `out_specs` and `scratch_shapes` as well.

    ## What JAX says
    ```text
    If `grid_spec` is specified, then `grid` must be `()`. It is (2,)
    ```

    ## Example
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def copy(x_ref, o_ref):
        o_ref[...] = x_ref[...]

    x = jnp.arange(8.0)
    OUT = jax.ShapeDtypeStruct((8,), jnp.float32)
    y = pl.pallas_call(copy, out_shape=OUT, grid=(2,), grid_spec=pl.GridSpec(grid=(2,)), interpret=True)(x)
    ```

    ## Fixed
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def copy(x_ref, o_ref):
        o_ref[...] = x_ref[...]

    x = jnp.arange(8.0)
    OUT = jax.ShapeDtypeStruct((8,), jnp.float32)
    y = pl.pallas_call(copy, out_shape=OUT, grid_spec=pl.GridSpec(grid=(2,)), interpret=True)(x)
    ```
    """

    code = "PAL105"
    name = "grid-given-twice"
    severity = Severity.ERROR

    def check(self, analysis: Analysis, settings: Settings) -> Iterator[Finding]:
        """One finding for each launch."""
        return mistakes(self, analysis, _judge)


_EMPTY = {"grid": "()", "in_specs": "no_block_spec", "out_specs": "no_block_spec", "scratch": "()"}
"""The parts of a grid specification, with what they must be beside one."""


def _judge(launch: Launch) -> Iterator[Mistake]:
    if launch.grid_spec is None:
        return
    for name, empty in _EMPTY.items():
        value = launch.named.get(name)
        keyword = "scratch_shapes" if name == "scratch" else name
        size = count(value)
        given = bool(size) or (name == "grid" and isinstance(value, Constant) and bool(value.value))
        if name.endswith("specs"):
            given = size is not None or value == NONE
        if given:
            message = f"If `grid_spec` is specified, then `{keyword}` must be `{empty}`: put it into the `grid_spec`."
            yield Mistake(argument(launch, name) or head(launch), message)

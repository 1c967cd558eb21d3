"""PAL405: the grid is asked for an axis that it does not have."""

from __future__ import annotations

from collections.abc import Iterator

from pallas_lsp.config import Settings
from pallas_lsp.findings import Finding, Severity
from pallas_lsp.rules.base import Rule
from pallas_lsp.rules.events import finding, judged
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.events import Event, GridAsked
from pallas_lsp.semantics.jax_api import Signature
from pallas_lsp.semantics.values import NONE, Constant, Constructed, Sequence


class MissingAxis(Rule):
    """`pl.program_id` or `pl.num_programs` asks for an axis that the grid does not have.

    ## What it does
    Reports an axis beyond the grid of the `pl.pallas_call` that launches the kernel, of which a launch without `grid`
    has no axis.

    ## What JAX says
    ```text
    Axis 1 is out of bounds for grid (2,)
    ```

    ## Example
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def k(x_ref, o_ref):
        o_ref[...] = x_ref[...] + pl.program_id(1)

    x = jnp.arange(8.0)
    y = pl.pallas_call(k, grid=(2,), out_shape=jax.ShapeDtypeStruct((8,), jnp.float32), interpret=True)(x)
    ```

    ## Fixed
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def k(x_ref, o_ref):
        o_ref[...] = x_ref[...] + pl.program_id(0)

    x = jnp.arange(8.0)
    y = pl.pallas_call(k, grid=(2,), out_shape=jax.ShapeDtypeStruct((8,), jnp.float32), interpret=True)(x)
    ```
    """

    code = "PAL405"
    name = "missing-axis"
    severity = Severity.ERROR

    def check(self, analysis: Analysis, settings: Settings) -> Iterator[Finding]:
        """One finding for each call."""
        for event, _, message in judged(analysis, GridAsked, _judge):
            yield finding(self, analysis, event, message)


def _judge(event: Event, asked: GridAsked) -> str | None:
    rank = _grid_rank(event)
    match asked.axis:
        case Constant(value=int() as axis) if rank is not None and axis >= rank:
            grid = "no axis" if rank == 0 else "the axis 0" if rank == 1 else f"the axes 0 to {rank - 1}"
            return f"Axis {axis} is out of bounds: the grid of the launch has {grid}."
        case _:
            return None


def _grid_rank(event: Event) -> int | None:
    """The number of axes of the grid, None when it is not known, or when something else may have a grid of its own."""
    first, *inner = event.launches or (None,)
    if first is None or first.row.signature is not Signature.PALLAS_CALL or not first.complete:
        return None
    if any(launch.row.signature not in (Signature.NO_ARGUMENTS, Signature.INDEX) for launch in inner):
        return None
    spec = first.named.get("grid_spec", NONE)
    if spec != NONE and not isinstance(spec, Constructed):
        return None
    grid = first.named.get("grid") or (spec.get("grid") if isinstance(spec, Constructed) else None)
    match grid:
        case None:
            return 0
        case Sequence(items=items):
            return len(items)
        case Constant(value=int()):
            return 1
        case _:
            return None

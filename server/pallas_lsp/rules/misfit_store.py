"""PAL306: a value of another shape is stored."""

from __future__ import annotations

from collections.abc import Iterator

from pallas_lsp.config import Settings
from pallas_lsp.findings import Finding, Severity
from pallas_lsp.rules.base import Rule
from pallas_lsp.rules.events import Fixes, finding, judged, name_for, replaced, safe_fix, source_of
from pallas_lsp.rules.fits import misfit, shown
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.events import Event, Stored
from pallas_lsp.semantics.members import is_whole_index
from pallas_lsp.semantics.values import Constant, Shape


class MisfitStore(Rule):
    """A value is stored into a place of another shape.

    ## What it does
    Reports a store whose value has a shape that is known to differ from that of the place, such as `o_ref[...] = 0.0`
    into an output that is no scalar. A store into a Ref does not broadcast.

    The fix fills the place with the number.

    ## What JAX says
    ```text
    Invalid shape for `swap`. Ref shape: (8,). Expected shape: (8,). Value shape: ().
    ```

    ## Example
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def k(x_ref, o_ref):
        o_ref[...] = 0.0

    x = jnp.arange(8.0)
    y = pl.pallas_call(k, out_shape=jax.ShapeDtypeStruct((8,), jnp.float32), interpret=True)(x)
    ```

    ## Fixed
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def k(x_ref, o_ref):
        o_ref[...] = jnp.full(o_ref.shape, 0.0, o_ref.dtype)

    x = jnp.arange(8.0)
    y = pl.pallas_call(k, out_shape=jax.ShapeDtypeStruct((8,), jnp.float32), interpret=True)(x)
    ```
    """

    code = "PAL306"
    name = "misfit-store"
    severity = Severity.ERROR

    def check(self, analysis: Analysis, settings: Settings) -> Iterator[Finding]:
        """One finding for each store that does not fit."""
        for event, stored, (place, given) in judged(analysis, Stored, _shapes):
            message = (
                f"Invalid shape for `swap`: the value has shape {shown(given)}, the place that it is stored to"
                f" {shown(place)}, and a store does not broadcast."
            )
            yield finding(self, analysis, event, message, None if given else _fixes(analysis, event, stored))


def _shapes(event: Event, stored: Stored) -> tuple[Shape, Shape] | None:
    return misfit(stored)


def _fixes(analysis: Analysis, event: Event, stored: Stored) -> Fixes | None:
    numpy = name_for(analysis, "jax.numpy")
    if stored.target is None or stored.source is None or not numpy or not is_whole_index(stored.index):
        return None
    ref, value = source_of(analysis, event, stored.target.value), source_of(analysis, event, stored.source)
    new = f"{numpy}.full({ref}.shape, {value}, {ref}.dtype)"
    if not isinstance(stored.value, Constant):
        new = f"{numpy}.broadcast_to({value}, {ref}.shape)"
    return safe_fix("Fill the place with the number", replaced(analysis, event, stored.source, new))

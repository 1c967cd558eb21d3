"""PAL404: the body of a loop does not return its carry."""

from __future__ import annotations

from collections.abc import Iterator

from pallas_lsp.config import Settings
from pallas_lsp.findings import Finding, Severity
from pallas_lsp.rules.base import Rule
from pallas_lsp.rules.events import finding, judged
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.events import CarryChanged, Event


class LostCarry(Rule):
    """The body of a loop returns something of another structure than its carry.

    ## What it does
    Reports a body of `jax.lax.fori_loop`, `while_loop`, `scan` or `pl.loop(..., init_carry=...)` in a kernel that
    returns None, or a tree of another structure, where the next value of the carry belongs.

    ## What JAX says
    ```text
    scan body function carry input and carry output must have the same pytree structure
    ```

    ## Example
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def k(x_ref, o_ref):
        def body(i, total):
            total = total + x_ref[i]

        o_ref[...] = jnp.full(o_ref.shape, jax.lax.fori_loop(0, 8, body, 0.0))

    x = jnp.arange(8.0)
    y = pl.pallas_call(k, out_shape=jax.ShapeDtypeStruct((8,), jnp.float32), interpret=True)(x)
    ```

    ## Fixed
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def k(x_ref, o_ref):
        def body(i, total):
            return total + x_ref[i]

        o_ref[...] = jnp.full(o_ref.shape, jax.lax.fori_loop(0, 8, body, 0.0))

    x = jnp.arange(8.0)
    y = pl.pallas_call(k, out_shape=jax.ShapeDtypeStruct((8,), jnp.float32), interpret=True)(x)
    ```
    """

    code = "PAL404"
    name = "lost-carry"
    severity = Severity.ERROR

    def check(self, analysis: Analysis, settings: Settings) -> Iterator[Finding]:
        """One finding for each body."""
        for event, _, message in judged(analysis, CarryChanged, _judge):
            yield finding(self, analysis, event, message)


def _judge(event: Event, changed: CarryChanged) -> str:
    returned = "None" if changed.returned == "None" else f"PyTreeDef({changed.returned})"
    return (
        f"{changed.loop} body function carry input and carry output must have the same pytree structure:"
        f" the carry is PyTreeDef({changed.carry}), and the body returns {returned}. Return the next carry."
    )

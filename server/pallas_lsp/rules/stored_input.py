"""PAL308: a kernel stores to an input."""

from __future__ import annotations

from collections.abc import Iterator

from pallas_lsp.config import Settings
from pallas_lsp.findings import Finding, Severity
from pallas_lsp.rules.base import Rule
from pallas_lsp.rules.events import finding, judged
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.events import Event, Stored, as_ref, ref_of
from pallas_lsp.semantics.jax_api import Signature
from pallas_lsp.semantics.values import Role


class StoredInput(Rule):
    """A kernel stores into one of its inputs.

    ## What it does
    Reports a store into an input of a `pl.pallas_call` without `input_output_aliases`. What becomes of it depends on
    the backend and the release: the caller's array, other grid steps and later reads may or may not see it. It is off
    by default, since JAX accepts it.

    ## What JAX says
    Nothing.

    ## Example
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def k(x_ref, o_ref):
        x_ref[0] = 1.0
        o_ref[...] = x_ref[...]

    x = jnp.arange(8.0)
    y = pl.pallas_call(k, out_shape=jax.ShapeDtypeStruct((8,), jnp.float32), interpret=True)(x)
    ```

    ## Fixed
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def k(x_ref, o_ref):
        o_ref[...] = x_ref[...]
        o_ref[0] = 1.0

    x = jnp.arange(8.0)
    y = pl.pallas_call(k, out_shape=jax.ShapeDtypeStruct((8,), jnp.float32), interpret=True)(x)
    ```
    """

    code = "PAL308"
    name = "stored-input"
    severity = Severity.WARNING
    default = False

    def check(self, analysis: Analysis, settings: Settings) -> Iterator[Finding]:
        """One finding for each store into an input."""
        for event, _, message in judged(analysis, Stored, _judge):
            yield finding(self, analysis, event, message)


def _judge(event: Event, stored: Stored) -> str | None:
    ref = as_ref(stored.owner)
    if ref is None or len(event.launches) != 1 or ref_of(ref).role is not Role.INPUT or not ref_of(ref).leaf:
        return None
    (launch,) = event.launches
    alone = launch.row.signature is Signature.PALLAS_CALL and launch.complete
    if not alone or "input_output_aliases" in launch.named:
        return None
    return "This stores into an input of the kernel, which is there to be read: store into an output."

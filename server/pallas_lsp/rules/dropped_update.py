"""PAL310: a changed array is dropped."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pallas_lsp.config import Settings
from pallas_lsp.findings import Edit, Finding, Range, Severity
from pallas_lsp.rules.base import Rule, range_in
from pallas_lsp.rules.events import Fixes, finding, judged, safe_fix, unsafe_fix
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.events import Event, Updated


class DroppedUpdate(Rule):
    """`array.at[index].set(value)` stands as a statement: its result is dropped, and nothing changes.

    ## What it does
    Reports such a statement for an array that comes from reading a Ref, as `o_ref[...].at[0].set(1.0)` does. With the
    Ref itself, `o_ref.at[0].set(1.0)`, it is a store.

    The fix takes the read away, so that the Ref is stored to, or gives the array back to its name.

    ## What JAX says
    Nothing.

    ## Example
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def k(x_ref, o_ref):
        o_ref[...] = x_ref[...]
        o_ref[...].at[0].set(1.0)

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
        o_ref.at[0].set(1.0)

    x = jnp.arange(8.0)
    y = pl.pallas_call(k, out_shape=jax.ShapeDtypeStruct((8,), jnp.float32), interpret=True)(x)
    ```
    """

    code = "PAL310"
    name = "dropped-update"
    severity = Severity.WARNING

    def check(self, analysis: Analysis, settings: Settings) -> Iterator[Finding]:
        """One finding for each statement that drops a changed array."""
        for event, updated, message in judged(analysis, Updated, _judge):
            yield finding(self, analysis, event, message, _fixes(analysis, event, updated.method))


def _judge(event: Event, updated: Updated) -> str:
    return (
        f"`.at[...].{updated.method}(...)` gives a changed array, which is dropped here: nothing changes."
        " Give it a name, or store it into a Ref."
    )


def _fixes(analysis: Analysis, event: Event, method: str) -> Fixes | None:
    match event.node:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Subscript(value=ast.Attribute(value=array))))):
            pass
        case _:
            return None
    if isinstance(array, ast.Name):
        start = range_in(analysis, event.chunk, event.node).start
        return safe_fix(f"Keep the result: `{array.id} = ...`", Edit(Range(start, start), f"{array.id} = "))
    if method == "set" and isinstance(array, ast.Subscript) and isinstance(array.slice, ast.Constant):
        start = range_in(analysis, event.chunk, array.value).end
        end = range_in(analysis, event.chunk, array).end
        reason = "The Ref is changed, which the program does not do now."
        return unsafe_fix("Store into the Ref", reason, Edit(Range(start, end), ""))
    return None

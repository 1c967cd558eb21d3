"""PAL304: a Ref is stored into a Ref."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pallas_lsp.config import Settings
from pallas_lsp.findings import Finding, Severity
from pallas_lsp.rules.base import Rule
from pallas_lsp.rules.events import Fixes, finding, inserted, is_surely_ref, judged, safe_fix, source_of
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.events import Event, Stored, as_ref
from pallas_lsp.semantics.values import Ref, View


class StoredRef(Rule):
    """A Ref is stored into another Ref, rather than what is in it.

    ## What it does
    Reports `o_ref[...] = x_ref` and `o_ref.set(x_ref)`, also for views such as `x_ref.at[i]`.

    The fix reads the Ref.

    ## What JAX says
    ```text
    Cannot store a Ref into another Ref. Did you forget to load from it using `[...]`?
    ```

    ## Example
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def k(x_ref, o_ref):
        o_ref[...] = x_ref

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

    x = jnp.arange(8.0)
    y = pl.pallas_call(k, out_shape=jax.ShapeDtypeStruct((8,), jnp.float32), interpret=True)(x)
    ```
    """

    code = "PAL304"
    name = "stored-ref"
    severity = Severity.ERROR

    def check(self, analysis: Analysis, settings: Settings) -> Iterator[Finding]:
        """One finding for each store of a Ref."""
        for event, stored, (value, owner) in judged(analysis, Stored, _refs):
            text = "" if stored.source is None else source_of(analysis, event, stored.source) or ""
            if is_surely_ref(event, value, text) and is_surely_ref(event, owner, _owner_text(stored)):
                is_view = isinstance(value, View)
                said = "A view of a Ref is no array." if is_view else "Cannot store a Ref into another Ref."
                message = f"{said} Read it: `{text}[...]`." if text else f"{said} Read it with `[...]`."
                yield finding(self, analysis, event, message, _fixes(analysis, event, stored.source, text))


def _refs(event: Event, stored: Stored) -> tuple[Ref | View, Ref | View] | None:
    value, owner = as_ref(stored.value), as_ref(stored.owner)
    return None if value is None or owner is None else (value, owner)


def _owner_text(stored: Stored) -> str:
    owner = None if stored.target is None else stored.target.value
    return getattr(owner, "id", getattr(owner, "attr", ""))


def _fixes(analysis: Analysis, event: Event, source: ast.expr | None, text: str) -> Fixes | None:
    if not text or not isinstance(source, (ast.Name, ast.Attribute, ast.Subscript, ast.Call)):
        return None
    return safe_fix(f"Read it: `{text}[...]`", inserted(analysis, event, source, "[...]"))

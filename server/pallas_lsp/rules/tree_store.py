"""PAL305: a whole tree of Refs is stored to."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pallas_lsp.config import Settings
from pallas_lsp.findings import Finding, Severity
from pallas_lsp.rules.base import Rule
from pallas_lsp.rules.events import Fixes, finding, inserted, judged, safe_fix, source_of
from pallas_lsp.semantics import members
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.events import Event, Stored
from pallas_lsp.semantics.kernels import leaves
from pallas_lsp.semantics.values import Constant, Mapping, Sequence


class TreeStore(Rule):
    """A whole dict, tuple or list of Refs is stored to as if it were one Ref.

    ## What it does
    Reports `out[...] = value` where the parameter is a dict, tuple or list of Refs, as it is when `out_shape` is one. A
    dict silently gains the key `...`, and no Ref is written; a tuple or a list raises.

    The fix stores into the only Ref of a dict that has one.

    ## What JAX says
    Nothing. The outputs are uninitialised; in interpret mode they are NaN.

    ## Example
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def k(x_ref, out):
        out[...] = x_ref[...] * 2

    x = jnp.arange(8.0)
    y = pl.pallas_call(k, out_shape={"y": jax.ShapeDtypeStruct((8,), jnp.float32)}, interpret=True)(x)
    ```

    ## Fixed
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def k(x_ref, out):
        out["y"][...] = x_ref[...] * 2

    x = jnp.arange(8.0)
    y = pl.pallas_call(k, out_shape={"y": jax.ShapeDtypeStruct((8,), jnp.float32)}, interpret=True)(x)
    ```
    """

    code = "PAL305"
    name = "tree-store"
    severity = Severity.ERROR

    def check(self, analysis: Analysis, settings: Settings) -> Iterator[Finding]:
        """One finding for each store to a tree."""
        for event, stored, target in judged(analysis, Stored, _target):
            tree = stored.owner
            text = source_of(analysis, event, target.value) or "it"
            match tree:
                case Mapping(items=pairs) if stored.index == Constant(Ellipsis):
                    keys = [key for key, _ in pairs]
                    message = (
                        f"`{text}` is a dict of Refs: this adds the key `...` to it, and stores nothing."
                        f" Store into each Ref: `{text}[{keys[0]!r}][...] = ...`."
                    )
                    yield finding(self, analysis, event, message, _fixes(analysis, event, target, keys))
                case Sequence(items=items, is_list=is_list) if items and stored.index == Constant(Ellipsis):
                    kind = "list" if is_list else "tuple"
                    message = (
                        f"`{text}` is a {kind} of Refs, not a Ref, and takes no `[...]`."
                        f" Store into each Ref: `{text}[0][...] = ...`."
                    )
                    yield finding(self, analysis, event, message)


def _target(event: Event, stored: Stored) -> ast.Subscript | None:
    """The target of a store to all of a tree of Refs."""
    is_tree = isinstance(stored.owner, (Mapping, Sequence)) and any(leaves((stored.owner,)))
    return stored.target if is_tree and members.is_whole_index(stored.index) else None


def _fixes(analysis: Analysis, event: Event, target: ast.Subscript, keys: list[object]) -> Fixes | None:
    if len(keys) != 1 or not isinstance(keys[0], str):
        return None
    quoted = "'" + keys[0] + "'" if '"' in keys[0] else f'"{keys[0]}"'
    return safe_fix(f"Store into the Ref `{keys[0]}`", inserted(analysis, event, target.value, f"[{quoted}]"))

"""PAL311: a slice of a Ref has a bound that is not known while the kernel is traced."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pallas_lsp.config import Settings
from pallas_lsp.findings import Finding, Severity
from pallas_lsp.rules.base import Rule
from pallas_lsp.rules.events import Fixes, finding, judged, name_for, replaced, safe_fix, source_of
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.events import Demanded, Event
from pallas_lsp.semantics.jax_api import PALLAS


class TracedSlice(Rule):
    """A slice of a Ref has a bound that is known only when the kernel runs.

    ## What it does
    Reports `x_ref[i : i + 4]` where `i` comes from a program id, a loop or a Ref. The size of a slice must be known
    while the kernel is traced: `pl.ds(i, 4)` says it.

    The fix writes `pl.ds` where the bounds are `i` and `i + size`.

    ## What JAX says
    ```text
    Attempted boolean conversion of traced array with shape bool[]
    ```

    ## Example
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def k(x_ref, o_ref):
        i = pl.program_id(0) * 4
        o_ref[i : i + 4] = x_ref[0:4]

    x = jnp.arange(8.0)
    y = pl.pallas_call(k, grid=(2,), out_shape=jax.ShapeDtypeStruct((8,), jnp.float32), interpret=True)(x)
    ```

    ## Fixed
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def k(x_ref, o_ref):
        i = pl.program_id(0) * 4
        o_ref[pl.ds(i, 4)] = x_ref[0:4]

    x = jnp.arange(8.0)
    y = pl.pallas_call(k, grid=(2,), out_shape=jax.ShapeDtypeStruct((8,), jnp.float32), interpret=True)(x)
    ```
    """

    code = "PAL311"
    name = "traced-slice"
    severity = Severity.ERROR

    def check(self, analysis: Analysis, settings: Settings) -> Iterator[Finding]:
        """One finding for each slice."""
        for event, _, message in judged(analysis, Demanded, _judge):
            yield finding(self, analysis, event, message, _fixes(analysis, event))


def _judge(event: Event, demanded: Demanded) -> str | None:
    if demanded.by != "slice":
        return None
    return (
        "A bound of this slice is known only when the kernel runs, and JAX must know its size before."
        " Use `pl.ds(start, size)`."
    )


def _fixes(analysis: Analysis, event: Event) -> Fixes | None:
    pallas = name_for(analysis, PALLAS)
    match event.node:
        case ast.Slice(lower=ast.expr() as lower, upper=ast.BinOp(left=left, op=ast.Add(), right=right), step=None):
            pass
        case _:
            return None
    size = right if ast.dump(left) == ast.dump(lower) else left if ast.dump(right) == ast.dump(lower) else None
    if size is None or not pallas:
        return None
    start, length = source_of(analysis, event, lower), source_of(analysis, event, size)
    new = f"{pallas}.ds({start}, {length})"
    return safe_fix(f"Say the size: `{new}`", replaced(analysis, event, event.node, new))

"""PAL401: Python decides by a value that is known only when the kernel runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial

from pallas_lsp.config import Settings
from pallas_lsp.findings import Finding, Fix, Severity
from pallas_lsp.rules.base import Rule
from pallas_lsp.rules.events import finding, judged, name_for
from pallas_lsp.rules.guards import as_function
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.events import Demand, Demanded, Event
from pallas_lsp.semantics.jax_api import PALLAS
from pallas_lsp.syntax import walk


class TracedCondition(Rule):
    """Python decides by a value that is known only when the kernel runs.

    ## What it does
    Reports a value that comes from a Ref, a program id or a loop of JAX as the condition of `if`, `while`, `assert` or
    a conditional expression, as an operand of `and`, `or` and `not`, in a chained comparison, and as an argument of
    `bool`, `min` and `max`. Python wants to know it while the kernel is traced, once, and JAX does not know it then.

    The fix turns a plain `if` into the body of `pl.when`: one without `else`, that is not left by `return`, `break` or
    `continue`, and that binds no names which are used elsewhere.

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
        o_ref[...] = jnp.zeros_like(x_ref)
        if x_ref[0] >= 0:
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
        o_ref[...] = jnp.zeros_like(x_ref)
        @pl.when(x_ref[0] >= 0)
        def _():
            o_ref[...] = x_ref[...]

    x = jnp.arange(8.0)
    y = pl.pallas_call(k, out_shape=jax.ShapeDtypeStruct((8,), jnp.float32), interpret=True)(x)
    ```
    """

    code = "PAL401"
    name = "traced-condition"
    severity = Severity.ERROR

    def check(self, analysis: Analysis, settings: Settings) -> Iterator[Finding]:
        """One finding for each condition."""
        for event, _, message in judged(analysis, Demanded, _judge):
            yield finding(self, analysis, event, message, partial(_fixes, analysis, event))


def _judge(event: Event, demanded: Demanded) -> str | None:
    if demanded.demand is not Demand.TRUTH:
        return None
    by = _WHAT.get(demanded.by, f"`{demanded.by}`")
    return (
        f"Attempted boolean conversion of traced array: {by} needs a value that is known only when the"
        f" kernel runs. {_INSTEAD.get(demanded.by, _OTHERWISE)}"
    )


_WHAT = {"chained comparison": "a chained comparison"}
_OTHERWISE = "Use `pl.when` for stores, `jnp.where` or `jax.lax.cond` for values."
_INSTEAD = {
    "while": "Use `jax.lax.while_loop`.",
    "assert": "Use `pl.debug_check`.",
    "and": "Use `&` or `jnp.logical_and`.",
    "or": "Use `|` or `jnp.logical_or`.",
    "not": "Use `~` or `jnp.logical_not`.",
    "chained comparison": "Write two comparisons, joined by `&`.",
    "min": "Use `jnp.minimum`.",
    "max": "Use `jnp.maximum`.",
    "bool": "Keep the array.",
}


def _fixes(analysis: Analysis, event: Event) -> tuple[Fix, ...]:
    pallas = name_for(analysis, PALLAS)
    for node in walk(event.functions[-1]):
        if isinstance(node, ast.If) and node.test is event.node and pallas:
            title = "Run the body under `pl.when`"
            return as_function(analysis, event, node, node.test, f"{pallas}.when({{}})", "", title)
    return ()

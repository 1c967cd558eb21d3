"""PAL403: `pl.when` or `pl.loop` is not used as a decorator."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial

from pallas_lsp.config import Settings
from pallas_lsp.findings import Applicability, Edit, Finding, Fix, Range, Severity
from pallas_lsp.rules.base import Rule, range_in
from pallas_lsp.rules.events import finding, judged
from pallas_lsp.rules.guards import as_function
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.events import Event, Misuse, Misused
from pallas_lsp.syntax import walk


class MisusedWhen(Rule):
    """`pl.when(condition)` or `pl.loop(lower, upper)` is used as something else than a decorator.

    ## What it does
    Reports `pl.when` with the body as a second argument, in a `with` statement, as a condition of Python, without a
    condition (`@pl.when`), or without a body, and a `for` loop over `pl.loop`. Both return a decorator: the body is a
    function. As a condition it is always true, and without a body or a condition nothing runs, without a word.

    The fix makes a function of the body.

    ## What JAX says
    ```text
    'function' object does not support the context manager protocol
    ```

    ## Example
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def k(x_ref, o_ref):
        o_ref[...] = jnp.zeros_like(x_ref)
        with pl.when(x_ref[0] >= 0):
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

    code = "PAL403"
    name = "misused-when"
    severity = Severity.ERROR

    def check(self, analysis: Analysis, settings: Settings) -> Iterator[Finding]:
        """One finding for each use."""
        for event, misused, message in judged(analysis, Misused, _judge):
            yield finding(self, analysis, event, message, partial(_fixes, analysis, event, misused))


def _judge(event: Event, misused: Misused) -> str:
    return f"{_SAYS[misused.misuse].format(name=misused.name)} Write `@pl.{misused.name}(...)` above a function."


_SAYS = {
    Misuse.TWO_ARGUMENTS: "when() takes 1 positional argument but 2 were given: the body is given to what it returns.",
    Misuse.CONTEXT: "'function' object does not support the context manager protocol: `pl.{name}` returns a decorator.",
    Misuse.CONDITION: "`pl.{name}` returns a decorator, which is always true.",
    Misuse.ITERATED: "'function' object is not iterable: `pl.{name}` returns a decorator.",
    Misuse.DROPPED: "`pl.{name}` returns a decorator, which is dropped here: nothing runs.",
    Misuse.NO_CONDITION: "`pl.when` is given the function as its condition, so that its body never runs.",
}


def _fixes(analysis: Analysis, event: Event, misused: Misused) -> tuple[Fix, ...]:
    title = f"Make the body a function under `pl.{misused.name}`"
    if misused.misuse is Misuse.TWO_ARGUMENTS and isinstance(event.node, ast.Call) and len(event.node.args) == 2:
        first, second = (range_in(analysis, event.chunk, argument) for argument in event.node.args)
        between = analysis.module.parsed.source.slice(Range(first.end, second.start))
        if between.strip() != ",":
            return ()
        return (Fix(title, (Edit(Range(first.end, second.start), ")("),), Applicability.SAFE),)
    for node in walk(event.functions[-1]) if event.functions else ():
        match node:
            case ast.With(items=[ast.withitem(context_expr=context, optional_vars=None)]) if context is event.node:
                return as_function(analysis, event, node, context, "{}", "", title)
            case ast.If(test=test) if test is event.node:
                return as_function(analysis, event, node, test, "{}", "", title)
            case ast.For(target=ast.Name(id=name), iter=looped) if looped is event.node:
                return as_function(analysis, event, node, looped, "{}", name, title)
    return ()

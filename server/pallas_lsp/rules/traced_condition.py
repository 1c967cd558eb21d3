"""PAL401: Python decides by a value that is known only when the kernel runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial

from pallas_lsp.config import Settings
from pallas_lsp.findings import Applicability, Edit, Finding, Fix, Range, Severity
from pallas_lsp.rewrite.source import punctuation
from pallas_lsp.rules.base import Rule, range_in
from pallas_lsp.rules.events import finding, judged, name_for
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.bindings import scope_bindings
from pallas_lsp.semantics.events import Demand, Demanded, Event
from pallas_lsp.semantics.jax_api import PALLAS
from pallas_lsp.syntax import Chunk, walk


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
    pallas, function = name_for(analysis, PALLAS), event.functions[-1]
    guards = [node for node in walk(function) if isinstance(node, ast.If) and node.test is event.node]
    if not guards or not pallas or not _is_plain(guards[0], function, event.chunk):
        return ()
    source = analysis.module.parsed.source
    whole, test = (range_in(analysis, event.chunk, node) for node in (guards[0], event.node))
    start = source.offset(whole.start)
    signs = punctuation(source.text, source.offset(test.end), len(source.text))
    colon = next((at for at, sign in signs if sign != ")"), 0)
    if source.text[colon : colon + 1] != ":" or not source.text.startswith("if", start):
        return ()
    condition = source.text[start + 2 : colon].strip()
    line = source.line(whole.start.line)
    indentation = line[: whole.start.character]
    if indentation.strip(" \t\f"):
        return ()
    header = f"@{pallas}.when({condition}){source.newline()}{indentation}def _():"
    edit = Edit(Range(whole.start, source.position(colon + 1)), header)
    return (Fix("Run the body under `pl.when`", (edit,), Applicability.SAFE),)


def _is_plain(guard: ast.If, function: ast.AST, chunk: Chunk) -> bool:
    """Whether the body may become a function: nothing leaves it, no `else`, and its names are its own."""
    inside = {node for statement in guard.body for node in walk(statement)}
    if guard.orelse or any(isinstance(node, _LEAVES) for node in inside):
        return False
    bound = scope_bindings(guard.body, chunk)
    used = {node.id for node in walk(function) if isinstance(node, ast.Name) and node not in inside}
    return bound.isdisjoint(used) and "_" not in used


_LEAVES = (
    *(ast.Return, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom, ast.Await),
    *(ast.Global, ast.Nonlocal, ast.NamedExpr),
)

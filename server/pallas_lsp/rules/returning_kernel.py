"""PAL001: a kernel returns a value."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial

from pallas_lsp.config import Settings
from pallas_lsp.findings import Applicability, Finding, Fix, Position, Range, Severity
from pallas_lsp.rules.base import Rule, group_of, range_in, related_launches
from pallas_lsp.rules.returns import finding, remedy, returned_values, says
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.jax_api import Outcome
from pallas_lsp.semantics.kernels import special_runs
from pallas_lsp.semantics.values import Function


class ReturningKernel(Rule):
    """A kernel returns a value instead of storing it.

    ## What it does
    Reports each `return` of a value in a function that is launched by `pl.pallas_call`, `pl.kernel`, `pl.core_map` or
    one of their relatives. A kernel returns None; its results go into its output Refs. Only a value that is proved to
    be no None is reported.

    The fix stores the value in the output Ref. It is safe when the value is known to fit, given that it has the
    output's shape and dtype; otherwise it says what to check.

    ## What JAX says
    ```text
    The kernel function in the pallas_call add_one at kernel.py:5 should return None. It returns a PyTree: PyTreeDef(*)
    ```

    ## Example
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def add_one(x_ref, o_ref):
        return x_ref[...] + 1

    x = jnp.arange(8.0)
    y = pl.pallas_call(add_one, out_shape=jax.ShapeDtypeStruct((8,), jnp.float32), interpret=True)(x)
    ```

    ## Fixed
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def add_one(x_ref, o_ref):
        o_ref[...] = x_ref[...] + 1

    x = jnp.arange(8.0)
    y = pl.pallas_call(add_one, out_shape=jax.ShapeDtypeStruct((8,), jnp.float32), interpret=True)(x)
    ```
    """

    code = "PAL001"
    name = "returning-kernel"
    severity = Severity.ERROR

    def check(self, analysis: Analysis, settings: Settings) -> Iterator[Finding]:
        """One finding for each return, however many launches there are."""
        for ways in returned_values(analysis, Outcome.RAISES):
            yield finding(self, analysis, ways, says(analysis, ways[0]) + remedy(ways[0]), fixable=True)
        reported: set[ast.AST] = set()
        for run, function, kind in special_runs(analysis):
            if run.launch.outcome is Outcome.RAISES and function.node not in reported:
                reported.add(function.node)
                yield Finding(
                    self.code,
                    self.name,
                    f"The kernel function `{function.name}` should return None. Calling it gives a {kind},"
                    " and its body never runs.",
                    self.severity,
                    _header(analysis, function),
                    related_launches(analysis, (run.launch,), f"`{function.name}` is given to `{{entry}}` here."),
                    group=group_of(analysis, function.chunk, function.node),
                    make_fixes=partial(_no_fixes, kind),
                )


def _no_fixes(kind: str) -> tuple[Fix, ...]:
    reason = f"A {kind} cannot be a kernel: write it as a plain function that stores into its output Refs."
    return (Fix("Store the result in the output Ref", (), Applicability.NONE, reason),)


def _header(analysis: Analysis, function: Function) -> Range:
    """From `def` up to the end of the line that it stands on."""
    whole = range_in(analysis, function.chunk, function.node)
    line = analysis.module.parsed.source.line(whole.start.line)
    if whole.end.line == whole.start.line:
        return whole
    return Range(whole.start, Position(whole.start.line, len(line.rstrip())))

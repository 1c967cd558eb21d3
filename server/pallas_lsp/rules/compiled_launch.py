"""PAL112: a launch is compiled, which a CPU cannot do."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pallas_lsp.config import Settings
from pallas_lsp.findings import Applicability, Edit, Finding, Fix, Range, Severity
from pallas_lsp.rules.base import Rule, range_in
from pallas_lsp.rules.launches import Mistake, Spot, argument, head, mistakes
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.launches import Launch
from pallas_lsp.semantics.values import NONE, Constant
from pallas_lsp.syntax import walk


class CompiledLaunch(Rule):
    """A launch does not say `interpret=True`, without which it does not run on a CPU.

    ## What it does
    Reports launches without `interpret`, and those with `interpret=False`. It is meant for code that is to run on a
    CPU, such as tests, and is off unless it is selected.

    The fix adds `interpret=True`.

    ## What JAX says
    ```text
    Only interpret mode is supported on CPU backend.
    ```

    ## Example
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def copy(x_ref, o_ref):
        o_ref[...] = x_ref[...]

    x = jnp.arange(8.0)
    OUT = jax.ShapeDtypeStruct((8,), jnp.float32)
    y = pl.pallas_call(copy, out_shape=OUT)(x)
    ```

    ## Fixed
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def copy(x_ref, o_ref):
        o_ref[...] = x_ref[...]

    x = jnp.arange(8.0)
    OUT = jax.ShapeDtypeStruct((8,), jnp.float32)
    y = pl.pallas_call(copy, out_shape=OUT, interpret=True)(x)
    ```
    """

    code = "PAL112"
    name = "compiled-launch"
    severity = Severity.WARNING
    default = False

    def check(self, analysis: Analysis, settings: Settings) -> Iterator[Finding]:
        """One finding for each launch."""
        return mistakes(self, analysis, _judge)


def _judge(launch: Launch) -> Iterator[Mistake]:
    value = launch.named.get("interpret")
    if launch.as_decorator or not (value == Constant(False) or value == NONE or (value is None and launch.complete)):
        return
    message = "Only interpret mode is supported on CPU backend: this launch needs a TPU or GPU."
    where = argument(launch, "interpret")
    yield Mistake(where or head(launch), message, _replaced if where is not None else _added)


_REASON = "On a TPU or GPU, the kernel runs many times slower when it is interpreted."


def _replaced(analysis: Analysis, spot: Spot) -> tuple[Fix, ...]:
    edit = Edit(range_in(analysis, spot.chunk, spot.node), "True")
    return (Fix("Interpret the kernel", (edit,), Applicability.UNSAFE, _REASON),)


def _added(analysis: Analysis, spot: Spot) -> tuple[Fix, ...]:
    call = _call_of(spot)
    if call is None or not (call.args or call.keywords):
        return ()
    last = max(range_in(analysis, spot.chunk, one).end for one in (*call.args, *call.keywords))
    edit = Edit(Range(last, last), ", interpret=True")
    return (Fix("Interpret the kernel", (edit,), Applicability.UNSAFE, _REASON),)


def _call_of(spot: Spot) -> ast.Call | None:
    for statement in spot.chunk.statements:
        for node in walk(statement):
            if isinstance(node, ast.Call) and node.func is spot.node:
                return node
    return None

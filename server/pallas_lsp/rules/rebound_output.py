"""PAL302: the name of an output Ref is given another value."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pallas_lsp.config import Settings
from pallas_lsp.findings import Finding, Severity
from pallas_lsp.rules.base import Rule
from pallas_lsp.rules.events import Fixes, finding, inserted, is_surely_ref, judged, safe_fix
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.events import Event, Rebound
from pallas_lsp.syntax import walk


class ReboundOutput(Rule):
    """The name of an output Ref is given another value, and nothing is stored.

    ## What it does
    Reports `o_ref = value` in a kernel when nothing was stored into that output before and no other name holds it: what
    had to be stored is lost. A new view, `o_ref = o_ref.at[0]`, is fine.

    The fix stores the value. It is offered only where the name is not read afterwards.

    ## What JAX says
    Nothing. The output is uninitialised; in interpret mode it is NaN.

    ## Example
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def k(x_ref, o_ref):
        o_ref = x_ref[...] * 2

    x = jnp.arange(8.0)
    y = pl.pallas_call(k, out_shape=jax.ShapeDtypeStruct((8,), jnp.float32), interpret=True)(x)
    ```

    ## Fixed
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def k(x_ref, o_ref):
        o_ref[...] = x_ref[...] * 2

    x = jnp.arange(8.0)
    y = pl.pallas_call(k, out_shape=jax.ShapeDtypeStruct((8,), jnp.float32), interpret=True)(x)
    ```
    """

    code = "PAL302"
    name = "rebound-output"
    severity = Severity.ERROR

    def check(self, analysis: Analysis, settings: Settings) -> Iterator[Finding]:
        """One finding for each assignment that loses an output."""
        for event, rebound, message in judged(analysis, Rebound, _judge):
            yield finding(self, analysis, event, message, _fixes(analysis, event, rebound.name))


def _judge(event: Event, rebound: Rebound) -> str | None:
    if not is_surely_ref(event, rebound.ref, rebound.name) or not _is_parameter(event, rebound.name):
        return None
    return (
        f"`{rebound.name} = ...` stores nothing: it gives the name another value, and the output is never"
        f" written. Store with `{rebound.name}[...] = ...`."
    )


def _is_parameter(event: Event, name: str) -> bool:
    """Whether the name is a parameter of the function that rebinds it."""
    arguments = getattr(event.functions[-1], "args", None) if event.functions else None
    return isinstance(arguments, ast.arguments) and any(
        parameter.arg == name for parameter in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    )


def _fixes(analysis: Analysis, event: Event, name: str) -> Fixes | None:
    assert isinstance(event.node, ast.Assign)
    names = [node for node in walk(event.functions[-1]) if isinstance(node, ast.Name) and node.id == name]
    targets = [node for node in event.node.targets if isinstance(node, ast.Name) and node.id == name]
    if any(isinstance(node.ctx, ast.Load) or node not in targets for node in names) or len(targets) != 1:
        return None
    return safe_fix(f"Store the value: `{name}[...] = ...`", inserted(analysis, event, targets[0], "[...]"))

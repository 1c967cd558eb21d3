"""PAL309: an array that was read from a Ref is changed in place."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

from pallas_lsp.config import Settings
from pallas_lsp.findings import Finding, Severity
from pallas_lsp.rules.base import Rule
from pallas_lsp.rules.events import Fixes, finding, judged, replaced, safe_fix, source_of
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.bindings import scope_bindings
from pallas_lsp.semantics.events import Event, Stored
from pallas_lsp.semantics.values import Array
from pallas_lsp.syntax import walk


class ChangedArray(Rule):
    """An item of a JAX array is assigned, but arrays cannot be changed in place.

    ## What it does
    Reports `y[0] = value` where `y` is an array that comes from reading a Ref, not the Ref itself.

    The fix makes a changed array: `y = y.at[0].set(value)`.

    ## What JAX says
    ```text
    JAX arrays are immutable and do not support in-place item assignment.
    ```

    ## Example
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def k(x_ref, o_ref):
        y = x_ref[...]
        y[0] = 1.0
        o_ref[...] = y

    x = jnp.arange(8.0)
    y = pl.pallas_call(k, out_shape=jax.ShapeDtypeStruct((8,), jnp.float32), interpret=True)(x)
    ```

    ## Fixed
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def k(x_ref, o_ref):
        y = x_ref[...]
        y = y.at[0].set(1.0)
        o_ref[...] = y

    x = jnp.arange(8.0)
    y = pl.pallas_call(k, out_shape=jax.ShapeDtypeStruct((8,), jnp.float32), interpret=True)(x)
    ```
    """

    code = "PAL309"
    name = "changed-array"
    severity = Severity.ERROR

    def check(self, analysis: Analysis, settings: Settings) -> Iterator[Finding]:
        """One finding for each assignment of an item of an array."""
        for event, _, target in judged(analysis, Stored, _target):
            text = source_of(analysis, event, target.value) or "this"
            message = (
                "JAX arrays are immutable and do not support in-place item assignment."
                f" `{text}` is what was read from a Ref: use `.at[...].set(...)`, or store into the Ref."
            )
            yield finding(self, analysis, event, message, _fixes(analysis, event, target))


def _target(event: Event, stored: Stored) -> ast.Subscript | None:
    return stored.target if isinstance(stored.owner, Array) and stored.owner.staged else None


def _fixes(analysis: Analysis, event: Event, target: ast.Subscript) -> Fixes | None:
    statement = next((node for node in walk(event.functions[-1]) if _assigns(node, target)), None)
    if not isinstance(target.value, ast.Name) or statement is None or not _is_local(event, target.value.id):
        return None
    method = "set" if isinstance(statement, ast.Assign) else _METHODS.get(type(statement.op))
    value = source_of(analysis, event, statement.value)
    index = source_of(analysis, event, target)
    if method is None or value is None or index is None or isinstance(statement.value, (ast.Tuple, ast.Yield)):
        return None
    name = target.value.id
    new = f"{name} = {name}.at{index[len(name) :].lstrip()}.{method}({value})"
    return safe_fix(f"Make a changed array: `{name}.at[...].{method}(...)`", replaced(analysis, event, statement, new))


def _assigns(node: ast.AST, target: ast.Subscript) -> TypeGuard[ast.Assign | ast.AugAssign]:
    """Whether a statement assigns to that target and to nothing else."""
    if isinstance(node, ast.Assign):
        return node.targets == [target]
    return isinstance(node, ast.AugAssign) and node.target is target


def _is_local(event: Event, name: str) -> bool:
    """Whether the name is bound in the innermost function, so that it may be bound again there."""
    function = event.functions[-1]
    arguments = getattr(function, "args", None)
    assert isinstance(arguments, ast.arguments)
    parameters = {parameter.arg for parameter in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    return name in parameters | scope_bindings(getattr(function, "body", []), event.chunk)


_METHODS: dict[type[ast.operator], str] = {ast.Add: "add", ast.Mult: "multiply", ast.Div: "divide", ast.Pow: "power"}
"""What `array.at[index]` offers in the place of an operator with `=`."""

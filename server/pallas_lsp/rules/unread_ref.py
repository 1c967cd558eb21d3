"""PAL301: a Ref is used like the array that it holds."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pallas_lsp.config import Settings
from pallas_lsp.findings import Finding, Severity
from pallas_lsp.rules.base import Rule
from pallas_lsp.rules.events import (
    Fixes,
    finding,
    inserted,
    is_surely_ref,
    judged,
    safe_fix,
    source_of,
    unsafe_fix,
)
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.events import Event, RefUsed, Use, ref_of
from pallas_lsp.semantics.values import View

_POSTFIX = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)
"""Expressions that an index can be put behind as they stand."""

_NOT_LOADABLE = frozenset({"ANY", "HBM", "GMEM"})
"""Memory that a kernel cannot read with an index on every backend."""


class UnreadRef(Rule):
    """A Ref is used like the array that it holds, without `[...]`.

    ## What it does
    Reports a Ref, or a view such as `ref.at[i]`, that is an operand, an argument of a function of `jax.numpy`,
    `jax.lax` or `jax.nn`, that is looped over, or that is asked for a method of arrays, such as `sum` or `astype`. What
    a Ref has itself (`shape`, `dtype`, `ndim`, `size`, `at`, `T`) is fine.

    The fix reads the Ref. It is safe, except in memory that not every backend can read directly.

    ## What JAX says
    ```text
    'AbstractRef' object has no attribute '_mul'
    ```

    ## Example
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def double(x_ref, o_ref):
        o_ref[...] = x_ref * 2

    x = jnp.arange(8.0)
    y = pl.pallas_call(double, out_shape=jax.ShapeDtypeStruct((8,), jnp.float32), interpret=True)(x)
    ```

    ## Fixed
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def double(x_ref, o_ref):
        o_ref[...] = x_ref[...] * 2

    x = jnp.arange(8.0)
    y = pl.pallas_call(double, out_shape=jax.ShapeDtypeStruct((8,), jnp.float32), interpret=True)(x)
    ```
    """

    code = "PAL301"
    name = "unread-ref"
    severity = Severity.ERROR

    def check(self, analysis: Analysis, settings: Settings) -> Iterator[Finding]:
        """One finding for each expression that is a Ref where an array is wanted."""
        for event, used, _ in judged(analysis, RefUsed, _always):
            text = source_of(analysis, event, event.node) or ""
            # Trees of Refs are called Refs as well, and looped over.
            named = text if used.use is not Use.ITERATION else ""
            if is_surely_ref(event, used.ref, named):
                yield finding(self, analysis, event, _message(used, text), _fixes(analysis, event, used, text))


def _always(event: Event, used: RefUsed) -> bool:
    """Whether it is a mistake hangs on the text, which the event alone does not tell."""
    return True


def _message(used: RefUsed, text: str) -> str:
    shown = text if "\n" not in text else "this"
    kind = "a view of a Ref" if isinstance(used.ref, View) else "a Ref"
    remedy = f"`{shown}` is {kind}, not the array in it: read it with `[...]`."
    match used.use:
        case Use.MEMBER:
            return f"'AbstractRef' object has no attribute '{used.name}'. {remedy}"
        case Use.OPERAND if kind == "a Ref":
            return f"'AbstractRef' object has no attribute '_{used.name}'. {remedy}"
        case Use.ARGUMENT:
            return f"`{used.name.replace('jax.numpy', 'jnp')}` takes no Ref. {remedy}"
        case Use.ITERATION:
            return f"A Ref is not iterable. {remedy}"
        case _:
            return remedy


def _fixes(analysis: Analysis, event: Event, used: RefUsed, text: str) -> Fixes | None:
    if not isinstance(event.node, _POSTFIX):
        return None
    title, edit = f"Read it: `{text}[...]`", inserted(analysis, event, event.node, "[...]")
    space = ref_of(used.ref).memory_space
    if space in _NOT_LOADABLE:
        reason = f"The Ref is in {space} memory, which some backends cannot read before it is copied."
        return unsafe_fix(title, reason, edit)
    return safe_fix(title, edit)

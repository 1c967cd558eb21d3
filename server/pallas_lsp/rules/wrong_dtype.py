"""PAL307: a value of another dtype is stored."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pallas_lsp.config import Settings
from pallas_lsp.findings import Finding, Severity
from pallas_lsp.rules.base import Rule
from pallas_lsp.rules.events import Fixes, finding, inserted, judged, replaced, safe_fix, source_of, unsafe_fix
from pallas_lsp.rules.fits import misfit, wrong_dtype
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.events import Event, Stored
from pallas_lsp.semantics.values import Constant


class WrongDtype(Rule):
    """A value is stored into a Ref of another dtype.

    ## What it does
    Reports a store whose value has a dtype that is known to differ from that of the Ref: an integer into floats, even
    the literal `1`, a bool into numbers, `float32` into `bfloat16`. Integers of any size may be stored into each other,
    and a Python float into any floats.

    The fix writes the literal as a float, or converts the value, which is not safe.

    ## What JAX says
    ```text
    Invalid dtype for `swap`. Ref dtype: float32. Value dtype: int32.
    ```

    ## Example
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def k(x_ref, o_ref):
        o_ref[...] = x_ref[...]
        o_ref[0] = 1

    x = jnp.arange(8.0)
    y = pl.pallas_call(k, out_shape=jax.ShapeDtypeStruct((8,), jnp.float32), interpret=True)(x)
    ```

    ## Fixed
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def k(x_ref, o_ref):
        o_ref[...] = x_ref[...]
        o_ref[0] = 1.0

    x = jnp.arange(8.0)
    y = pl.pallas_call(k, out_shape=jax.ShapeDtypeStruct((8,), jnp.float32), interpret=True)(x)
    ```
    """

    code = "PAL307"
    name = "wrong-dtype"
    severity = Severity.ERROR

    def check(self, analysis: Analysis, settings: Settings) -> Iterator[Finding]:
        """One finding for each store that JAX refuses for its dtype alone."""
        for event, stored, (into, given) in judged(analysis, Stored, _dtypes):
            message = f"Invalid dtype for `swap`. Ref dtype: {into}. Value dtype: {given}. A store does not convert."
            yield finding(self, analysis, event, message, _fixes(analysis, event, stored, into))


def _dtypes(event: Event, stored: Stored) -> tuple[str, str] | None:
    return wrong_dtype(stored) if misfit(stored) is None else None


def _fixes(analysis: Analysis, event: Event, stored: Stored, into: str) -> Fixes | None:
    if stored.target is None or stored.source is None:
        return None
    ref, value = source_of(analysis, event, stored.target.value), source_of(analysis, event, stored.source)
    if isinstance(stored.value, Constant):
        if type(stored.value.value) is int and "float" in into and value and value.lstrip("-").isdecimal():
            return safe_fix(f"Store `{value}.0`", inserted(analysis, event, stored.source, ".0"))
        return None
    plain = isinstance(stored.source, (ast.Name, ast.Attribute, ast.Subscript, ast.Call))
    new = f"{value if plain else f'({value})'}.astype({ref}.dtype)"
    return unsafe_fix(
        f"Convert it: `.astype({ref}.dtype)`",
        f"The value becomes {into}: check that nothing is lost.",
        replaced(analysis, event, stored.source, new),
    )

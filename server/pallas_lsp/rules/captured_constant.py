"""PAL501: a kernel computes with an array that is not one of its inputs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial

from pallas_lsp.config import Settings
from pallas_lsp.findings import Finding, Severity
from pallas_lsp.rules.added_input import added_input
from pallas_lsp.rules.base import Rule
from pallas_lsp.rules.events import finding, judged, source_of
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.events import Captured, Event
from pallas_lsp.semantics.jax_api import Signature


class CapturedConstant(Rule):
    """A kernel computes with an array from outside that is not one of its inputs.

    ## What it does
    Reports an array of JAX that was made where no kernel runs (in the module, in a function around the kernel, or bound
    by `functools.partial`), and an array of NumPy that is no scalar, where a kernel of `pl.pallas_call` computes with
    it or stores it. Python numbers, NumPy scalars, and arrays that the kernel itself makes with `jnp` are fine, and so
    are the shape and dtype of any array.

    The fix passes the array as one more input. It is offered where the kernel is launched once and its inputs stand
    there.

    ## What JAX says
    ```text
    captures constants [f32[8]]. You should pass them as inputs.
    ```

    ## Example
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    BIAS = jnp.ones(8)

    def k(x_ref, o_ref):
        o_ref[...] = x_ref[...] + BIAS

    x = jnp.arange(8.0)
    y = pl.pallas_call(k, out_shape=jax.ShapeDtypeStruct((8,), jnp.float32), interpret=True)(x)
    ```

    ## Fixed
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    BIAS = jnp.ones(8)

    def k(x_ref, bias_ref, o_ref):
        o_ref[...] = x_ref[...] + bias_ref[...]

    x = jnp.arange(8.0)
    y = pl.pallas_call(k, out_shape=jax.ShapeDtypeStruct((8,), jnp.float32), interpret=True)(x, BIAS)
    ```
    """

    code = "PAL501"
    name = "captured-constant"
    severity = Severity.ERROR

    def check(self, analysis: Analysis, settings: Settings) -> Iterator[Finding]:
        """One finding for each array, at the first place where the kernel computes with it."""
        seen: set[tuple[ast.AST, str]] = set()
        for event, _, _ in judged(analysis, Captured, _is_kernel_of_pallas_call):
            text = source_of(analysis, event, event.node) or ""
            if (event.functions[0], text) not in seen:
                seen.add((event.functions[0], text))
                name = getattr(event.functions[0], "name", "<lambda>")
                what = f"`{text}`" if "\n" not in text else "this"
                message = (
                    f"The kernel function in the pallas_call `{name}` captures constants: {what} is an array, and no"
                    " input of the kernel. You should pass it as an input."
                )
                yield finding(self, analysis, event, message, partial(added_input, analysis, event))


def _is_kernel_of_pallas_call(event: Event, captured: Captured) -> bool | None:
    return (event.launches[0].row.signature is Signature.PALLAS_CALL and bool(event.functions)) or None

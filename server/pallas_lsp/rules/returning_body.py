"""PAL003: a body that must not return a value does."""

from __future__ import annotations

from collections.abc import Iterator

from pallas_lsp.config import Settings
from pallas_lsp.findings import Finding, Severity
from pallas_lsp.rules.base import Rule
from pallas_lsp.rules.returns import finding, returned_values
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.jax_api import Outcome, Signature
from pallas_lsp.semantics.kernels import Way
from pallas_lsp.semantics.values import Array, Constant, Value, alternatives, is_leafless


class ReturningBody(Rule):
    """The body of `pl.when`, `pl.loop` or a like API returns a value, and JAX stops with another error.

    ## What it does
    Reports a `return` of a value in a body whose result JAX cannot take: under `pl.when` with a traced condition (there
    is nothing to return when the condition is false), in `pl.loop` without `init_carry`, in `pl.run_state` (which takes
    the Ref's content), and in a warp-specialised pipeline without a carry.

    ## What JAX says
    ```text
    cond branch outputs must have the same pytree structure
    ```

    ## Example
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def kernel(x_ref, o_ref):
        o_ref[...] = jnp.zeros(8)

        @pl.when(x_ref[0] > 0)
        def _():
            return x_ref[...] * 2

    x = jnp.arange(1.0, 9.0)
    y = pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8,), jnp.float32), interpret=True)(x)
    ```

    ## Fixed
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def kernel(x_ref, o_ref):
        o_ref[...] = jnp.zeros(8)

        @pl.when(x_ref[0] > 0)
        def _():
            o_ref[...] = x_ref[...] * 2

    x = jnp.arange(1.0, 9.0)
    y = pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8,), jnp.float32), interpret=True)(x)
    ```
    """

    code = "PAL003"
    name = "returning-body"
    severity = Severity.ERROR

    def check(self, analysis: Analysis, settings: Settings) -> Iterator[Finding]:
        """One finding for each return that makes JAX stop."""
        for ways in returned_values(analysis, Outcome.RAISES_OTHERWISE):
            wrong = [way for way in ways if _stops(way)]
            if wrong:
                row = wrong[0].launch.row
                said = row.wording(analysis.target).removesuffix(".")
                message = (
                    f"The body of `{row.short_name}` returns a value where JAX expects None: {said}."
                    " Store the value into a Ref instead."
                )
                yield finding(self, analysis, wrong, message, fixable=False)


def _stops(way: Way) -> bool:
    launch = way.launch
    if launch.row.leaves_only and is_leafless(way.returned.value):
        return False
    if launch.row.signature is Signature.REF:
        # A Ref of another kind, such as a Mosaic GPU accumulator, gives its content back.
        given = way.run.given
        return given is not None and bool(given.positional) and isinstance(given.positional[0], Array)
    condition = launch.named.get("condition")
    if launch.row.short_name != "when":
        return True
    # Under a Python bool the body is called, or not, and its value is dropped.
    return condition is not None and all(_is_no_bool(one) for one in alternatives(condition))


def _is_no_bool(value: Value) -> bool:
    match value:
        case Array(traced=traced, host=host):
            return traced or host
        case Constant(value=constant):
            return not isinstance(constant, bool)
        case _:
            return False

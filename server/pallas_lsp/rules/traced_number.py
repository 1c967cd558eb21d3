"""PAL402: Python needs a number that is known only when the kernel runs."""

from __future__ import annotations

from collections.abc import Iterator

from pallas_lsp.config import Settings
from pallas_lsp.findings import Finding, Severity
from pallas_lsp.rules.base import Rule
from pallas_lsp.rules.events import finding, judged
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.events import Demand, Demanded, Event


class TracedNumber(Rule):
    """Python needs a number that is known only when the kernel runs.

    ## What it does
    Reports a value that comes from a Ref, a program id or a loop of JAX as an argument of `int`, `float`, `range` or a
    function of `math`, and as the index of a list or tuple. Python wants to know it while the kernel is traced, once,
    and JAX does not know it then.

    ## What JAX says
    ```text
    The __index__() method was called on traced array with shape int32[]
    ```

    ## Example
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def k(n_ref, o_ref):
        o_ref[...] = jnp.zeros_like(o_ref)
        for i in range(n_ref[0]):
            o_ref[i] = 1.0

    n = jnp.array([3])
    y = pl.pallas_call(k, out_shape=jax.ShapeDtypeStruct((8,), jnp.float32), interpret=True)(n)
    ```

    ## Fixed
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def k(n_ref, o_ref):
        o_ref[...] = jnp.zeros_like(o_ref)
        @pl.loop(0, n_ref[0])
        def _(i):
            o_ref[i] = 1.0

    n = jnp.array([3])
    y = pl.pallas_call(k, out_shape=jax.ShapeDtypeStruct((8,), jnp.float32), interpret=True)(n)
    ```
    """

    code = "PAL402"
    name = "traced-number"
    severity = Severity.ERROR

    def check(self, analysis: Analysis, settings: Settings) -> Iterator[Finding]:
        """One finding for each value."""
        for event, _, message in judged(analysis, Demanded, _judge):
            yield finding(self, analysis, event, message)


def _judge(event: Event, demanded: Demanded) -> str | None:
    return _message(demanded) if demanded.demand is not Demand.TRUTH and demanded.by != "slice" else None


def _message(demanded: Demanded) -> str:
    by = "The index of a list or tuple" if demanded.by == "[]" else f"`{demanded.by}`"
    return (
        f"{by} needs a number, but this one is known only when the kernel runs:"
        f" JAX cannot make {demanded.demand.value} of a traced array. {_INSTEAD.get(demanded.by, _OTHERWISE)}"
    )


_OTHERWISE = "Use the function of `jnp` of that name."
_INSTEAD = {
    "range": "Loop with `pl.loop` or `jax.lax.fori_loop`.",
    "[]": "Use `jax.lax.switch`, or an array.",
    "int": "Use `.astype(jnp.int32)`.",
    "float": "Use `.astype(jnp.float32)`.",
    "complex": "Use `.astype(jnp.complex64)`.",
}

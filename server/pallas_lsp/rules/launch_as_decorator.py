"""PAL108: `pl.pallas_call` is called without its kernel."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pallas_lsp.config import Settings
from pallas_lsp.findings import Applicability, Edit, Finding, Fix, Range, Severity
from pallas_lsp.rules.base import Rule, range_in
from pallas_lsp.rules.launches import Mistake, Spot, head, mistakes, source_of
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.launches import Launch


class LaunchAsDecorator(Rule):
    """`pl.pallas_call` is called without its kernel, as if it made a decorator.

    ## What it does
    Reports `@pl.pallas_call(...)` on a kernel. `pl.pallas_call` takes the kernel at once; `functools.partial` makes a
    decorator of it.

    The fix puts `functools.partial` around it where the module imports that.

    ## What JAX says
    ```text
    pallas_call() missing 1 required positional argument: 'kernel'
    ```

    ## Example
    ```python
    import functools
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    x = jnp.arange(8.0)
    OUT = jax.ShapeDtypeStruct((8,), jnp.float32)

    @pl.pallas_call(out_shape=OUT, interpret=True)
    def copy(x_ref, o_ref):
        o_ref[...] = x_ref[...]

    y = copy(x)
    ```

    ## Fixed
    ```python
    import functools
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    x = jnp.arange(8.0)
    OUT = jax.ShapeDtypeStruct((8,), jnp.float32)

    @functools.partial(pl.pallas_call, out_shape=OUT, interpret=True)
    def copy(x_ref, o_ref):
        o_ref[...] = x_ref[...]

    y = copy(x)
    ```
    """

    code = "PAL108"
    name = "launch-as-decorator"
    severity = Severity.ERROR

    def check(self, analysis: Analysis, settings: Settings) -> Iterator[Finding]:
        """One finding for each launch."""
        return mistakes(self, analysis, _judge)


def _judge(launch: Launch) -> Iterator[Mistake]:
    if launch.as_decorator and launch.complete and isinstance(launch.node, ast.Call):
        message = (
            "pallas_call() missing 1 required positional argument: 'kernel'. It makes no decorator;"
            " `functools.partial(pl.pallas_call, ...)` does."
        )
        yield Mistake(head(launch), message, _partial)


def _partial(analysis: Analysis, spot: Spot) -> tuple[Fix, ...]:
    partial = _name_of_partial(analysis)
    place = range_in(analysis, spot.chunk, spot.node)
    source = analysis.module.parsed.source
    behind = source.line(place.end.line)[place.end.character :]
    if not partial or not behind.startswith("("):
        return ()
    opened = type(place.end)(place.end.line, place.end.character + 1)
    separator = "" if behind[1:].lstrip().startswith(")") else ", "
    text = f"{partial}({source_of(analysis, spot, spot.node)}{separator}"
    edit = Edit(Range(place.start, opened), text)
    return (Fix("Make a decorator of it with `functools.partial`", (edit,), Applicability.SAFE),)


def _name_of_partial(analysis: Analysis) -> str:
    """How the module calls `functools.partial`, empty when it does not import it."""
    for imported in analysis.module.imports:
        if imported.module == "functools" and imported.name == "partial":
            return imported.alias
        if imported.module == "functools" and not imported.name:
            return f"{imported.alias or 'functools'}.partial"
    return ""

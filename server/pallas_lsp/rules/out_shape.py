"""PAL104: `out_shape` is missing, or not what JAX takes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pallas_lsp.config import Settings
from pallas_lsp.findings import Finding, Severity
from pallas_lsp.rules.base import Rule
from pallas_lsp.rules.launches import Mistake, argument, head, mistakes
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.launches import Launch
from pallas_lsp.semantics.values import SCALAR, Constant, Constructed, Mapping, NamedTuple, Sequence, Value


class OutShape(Rule):
    """`out_shape` is missing, or not made of shapes with dtypes.

    ## What it does
    Reports a launch without `out_shape`, one whose `out_shape` is a bare shape such as `(8, 128)` or `x.shape`, and a
    `jax.ShapeDtypeStruct` without a dtype. Each output is described by an object with a shape and a dtype: a
    `jax.ShapeDtypeStruct`, or an array like it.

    ## What JAX says
    ```text
    Invalid out_shape type: <class 'int'>
    ```

    ## Example
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def copy(x_ref, o_ref):
        o_ref[...] = x_ref[...]

    x = jnp.arange(8.0)
    y = pl.pallas_call(copy, out_shape=(8,), interpret=True)(x)
    ```

    ## Fixed
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def copy(x_ref, o_ref):
        o_ref[...] = x_ref[...]

    x = jnp.arange(8.0)
    y = pl.pallas_call(copy, out_shape=jax.ShapeDtypeStruct((8,), jnp.float32), interpret=True)(x)
    ```
    """

    code = "PAL104"
    name = "out-shape"
    severity = Severity.ERROR

    def check(self, analysis: Analysis, settings: Settings) -> Iterator[Finding]:
        """One finding for each launch."""
        return mistakes(self, analysis, out_shape_mistakes)


def out_shape_mistakes(launch: Launch) -> Iterator[Mistake]:
    """What is wrong with `out_shape`."""
    outputs = launch.named.get("outputs")
    if outputs is None:
        if launch.complete and not launch.as_decorator:
            yield Mistake(head(launch), "pallas_call() missing 1 required positional argument: 'out_shape'.")
        return
    spot = argument(launch, "outputs") or head(launch)
    for leaf in _leaves(outputs):
        kind = _foreign(leaf)
        if kind:
            yield Mistake(
                spot,
                f"Invalid out_shape type: <class '{kind}'>. An output is described by its shape and dtype:"
                " `jax.ShapeDtypeStruct(shape, dtype)`.",
            )
            return
        if isinstance(leaf, Constructed) and _lacks_dtype(leaf):
            yield Mistake(spot, "ShapeDtypeStruct.__init__() missing 1 required positional argument: 'dtype'.")
            return


def _foreign(value: Value) -> str:
    if isinstance(value, Constant) and isinstance(value.value, (bool, int, float, str)):
        return type(value.value).__name__
    return "int" if value == SCALAR else ""


def _lacks_dtype(value: Constructed) -> bool:
    made = value.name == "jax.ShapeDtypeStruct" and isinstance(value.node, ast.Call) and value.complete
    return made and value.get("dtype") is None


def _leaves(value: Value) -> Iterator[Value]:
    match value:
        case Sequence(items=items) | NamedTuple(items=items):
            for item in items:
                yield from _leaves(item)
        case Mapping(items=pairs):
            for _, item in pairs:
                yield from _leaves(item)
        case _:
            yield value

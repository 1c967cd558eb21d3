"""PAL203: an index map gives what is no integer."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pallas_lsp.config import Settings
from pallas_lsp.findings import Applicability, Edit, Finding, Fix, Range, Severity
from pallas_lsp.rules.base import Rule, range_in
from pallas_lsp.rules.index_maps import results_of
from pallas_lsp.rules.launches import Mistake, Spot, mistakes
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.launches import Launch
from pallas_lsp.semantics.values import Array, Constant, Value


class IndexMapTypes(Rule):
    """An index map gives what is no integer.

    ## What it does
    Reports floats, which most often come from `/`, and bools among the block indices.

    The fix divides with `//`.

    ## What JAX says
    ```text
    must return integer scalars. Output[0] has type float32[].
    ```

    ## Example
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def copy(x_ref, o_ref):
        o_ref[...] = x_ref[...]

    x = jnp.arange(64.0).reshape(8, 8)
    OUT = jax.ShapeDtypeStruct((8, 8), jnp.float32)
    SPEC = pl.BlockSpec((4, 8), lambda i: (i / 2, 0))
    y = pl.pallas_call(copy, out_shape=OUT, grid=(2,), in_specs=[SPEC], out_specs=SPEC, interpret=True)(x)
    ```

    ## Fixed
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def copy(x_ref, o_ref):
        o_ref[...] = x_ref[...]

    x = jnp.arange(64.0).reshape(8, 8)
    OUT = jax.ShapeDtypeStruct((8, 8), jnp.float32)
    SPEC = pl.BlockSpec((4, 8), lambda i: (i // 2, 0))
    y = pl.pallas_call(copy, out_shape=OUT, grid=(2,), in_specs=[SPEC], out_specs=SPEC, interpret=True)(x)
    ```
    """

    code = "PAL203"
    name = "index-map-types"
    severity = Severity.ERROR

    def check(self, analysis: Analysis, settings: Settings) -> Iterator[Finding]:
        """One finding for each launch."""
        return mistakes(self, analysis, _judge)


def _judge(launch: Launch) -> Iterator[Mistake]:
    for block in launch.blocks:
        for results in results_of(block):
            if block.rank != len(results.items):
                continue
            for number, item in enumerate(results.items):
                kind = _wrong_type(item)
                if kind:
                    message = (
                        f"Index map function {results.name} must return integer scalars. Output[{number}] has type"
                        f" {kind}."
                    )
                    yield Mistake(results.spot_of_item(number), message, _floor_division)


def _wrong_type(item: Value) -> str:
    match item:
        case Constant(value=bool()):
            return "bool[]"
        case Constant(value=float()):
            return "float32[]"
        case Array(dtype=dtype) if item.staged and (dtype.startswith("float") or dtype == "bool"):
            return f"{dtype}[]"
        case _:
            return ""


def _floor_division(analysis: Analysis, spot: Spot) -> tuple[Fix, ...]:
    node = spot.node
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Div):
        return ()
    between = Range(range_in(analysis, spot.chunk, node.left).end, range_in(analysis, spot.chunk, node.right).start)
    text = analysis.module.parsed.source.slice(between)
    if text.count("/") != 1 or "#" in text:
        return ()
    return (Fix("Divide with `//`", (Edit(between, text.replace("/", "//")),), Applicability.SAFE),)

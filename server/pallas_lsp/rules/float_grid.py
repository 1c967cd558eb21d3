"""PAL106: a size of the grid is a float."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pallas_lsp.config import Settings
from pallas_lsp.findings import Applicability, Edit, Finding, Fix, Range, Severity
from pallas_lsp.rules.base import Rule, range_in
from pallas_lsp.rules.launches import Mistake, Spot, mistakes, part
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.launches import Launch
from pallas_lsp.semantics.values import SCALAR, Constant, Sequence, Value


class FloatGrid(Rule):
    """A size of the grid is a float.

    ## What it does
    Reports a `grid` with a float in it, which most often comes from `/`.

    The fix divides with `//`. It is safe where both numbers are known and nothing is left over.

    ## What JAX says
    ```text
    Grid must be a tuple of integers or jax.Array, got (4.0,)
    ```

    ## Example
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def copy(x_ref, o_ref):
        o_ref[...] = x_ref[...]

    x = jnp.arange(8.0)
    OUT = jax.ShapeDtypeStruct((8,), jnp.float32)
    y = pl.pallas_call(copy, out_shape=OUT, grid=(8 / 2,), interpret=True)(x)
    ```

    ## Fixed
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def copy(x_ref, o_ref):
        o_ref[...] = x_ref[...]

    x = jnp.arange(8.0)
    OUT = jax.ShapeDtypeStruct((8,), jnp.float32)
    y = pl.pallas_call(copy, out_shape=OUT, grid=(8 // 2,), interpret=True)(x)
    ```
    """

    code = "PAL106"
    name = "float-grid"
    severity = Severity.ERROR

    def check(self, analysis: Analysis, settings: Settings) -> Iterator[Finding]:
        """One finding for each launch."""
        return mistakes(self, analysis, _judge)


def _judge(launch: Launch) -> Iterator[Mistake]:
    grid = launch.part("grid")
    if grid is None:
        return
    spot = part(launch, "grid")
    sizes = grid.items if isinstance(grid, Sequence) else (grid,)
    nodes: list[ast.AST] = [spot.node] * len(sizes)
    if isinstance(spot.node, (ast.Tuple, ast.List)) and len(spot.node.elts) == len(sizes):
        nodes = list(spot.node.elts)
    for size, node in zip(sizes, nodes, strict=True):
        if _is_float(size, node):
            message = "Grid must be a tuple of integers: this is a float. Divide with `//`, or with `pl.cdiv`."
            yield Mistake(Spot(node, spot.chunk, spot.path), message, _floor_division)


def _is_float(size: Value, node: ast.AST) -> bool:
    if isinstance(size, Constant):
        return isinstance(size.value, float)
    divides = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)
    return divides and size == SCALAR


def _floor_division(analysis: Analysis, spot: Spot) -> tuple[Fix, ...]:
    node = spot.node
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Div):
        return ()
    between = Range(range_in(analysis, spot.chunk, node.left).end, range_in(analysis, spot.chunk, node.right).start)
    text = analysis.module.parsed.source.slice(between)
    if text.count("/") != 1 or "#" in text:
        return ()
    edit = Edit(between, text.replace("/", "//"))
    match node:
        case ast.BinOp(left=ast.Constant(value=int() as left), right=ast.Constant(value=int() as right)):
            if right and left % right == 0:
                return (Fix("Divide with `//`", (edit,), Applicability.SAFE),)
    reason = "What is left over by the division has no step of the grid; `pl.cdiv` rounds up."
    return (Fix("Divide with `//`", (edit,), Applicability.UNSAFE, reason),)

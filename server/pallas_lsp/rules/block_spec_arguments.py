"""PAL204: a BlockSpec has its arguments in the wrong order or form."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pallas_lsp.config import Settings
from pallas_lsp.findings import Applicability, Edit, Finding, Fix, Severity
from pallas_lsp.rules.base import Rule, range_in
from pallas_lsp.rules.launches import Mistake, Spot, mistakes, source_of, spot_of
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.launches import Launch
from pallas_lsp.semantics.values import Constant, Function, Partial


class BlockSpecArguments(Rule):
    """A BlockSpec has its arguments in the wrong order, or a block shape that is no tuple.

    ## What it does
    Reports `pl.BlockSpec(index_map, block_shape)`, the order that JAX had up to 0.4.33, and a block shape that is a
    plain number.

    The fix puts them in order, or makes a tuple of the number.

    ## What JAX says
    ```text
    'function' object is not iterable
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
    SPEC = pl.BlockSpec(lambda i: (i, 0), (4, 8))
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
    SPEC = pl.BlockSpec((4, 8), lambda i: (i, 0))
    y = pl.pallas_call(copy, out_shape=OUT, grid=(2,), in_specs=[SPEC], out_specs=SPEC, interpret=True)(x)
    ```
    """

    code = "PAL204"
    name = "block-spec-arguments"
    severity = Severity.ERROR

    def check(self, analysis: Analysis, settings: Settings) -> Iterator[Finding]:
        """One finding for each launch."""
        return mistakes(self, analysis, _judge) if analysis.target >= (0, 4, 34) else iter(())


def _judge(launch: Launch) -> Iterator[Mistake]:
    for block in launch.blocks:
        spot, shape = spot_of(block.spec), block.spec.get("block_shape")
        if spot is None:
            continue
        if isinstance(shape, (Function, Partial)):
            message = "'function' object is not iterable: a BlockSpec takes the block shape first, then the index map."
            yield Mistake(spot, message, _swapped)
        elif isinstance(shape, Constant) and isinstance(shape.value, int):
            yield Mistake(spot, "'int' object is not iterable: the block shape is a tuple.", _as_tuple)


def _swapped(analysis: Analysis, spot: Spot) -> tuple[Fix, ...]:
    node = spot.node
    if not isinstance(node, ast.Call) or len(node.args) != 2 or any(isinstance(one, ast.Starred) for one in node.args):
        return ()
    first, second = node.args
    edits = (
        Edit(range_in(analysis, spot.chunk, first), source_of(analysis, spot, second)),
        Edit(range_in(analysis, spot.chunk, second), source_of(analysis, spot, first)),
    )
    return (Fix("Put the block shape first", edits, Applicability.SAFE),)


def _as_tuple(analysis: Analysis, spot: Spot) -> tuple[Fix, ...]:
    node = spot.node
    if not isinstance(node, ast.Call):
        return ()
    given = [keyword.value for keyword in node.keywords if keyword.arg == "block_shape"] or node.args[:1]
    if not given or isinstance(given[0], ast.Starred):
        return ()
    edit = Edit(range_in(analysis, spot.chunk, given[0]), f"({source_of(analysis, spot, given[0])},)")
    return (Fix("Make a tuple of the block shape", (edit,), Applicability.SAFE),)

"""PAL205: a block has another number of dimensions than its array."""

from __future__ import annotations

from collections.abc import Iterator

from pallas_lsp.config import Settings
from pallas_lsp.findings import Finding, Severity
from pallas_lsp.rules.base import Rule
from pallas_lsp.rules.launches import Mistake, count, mistakes, spot_of
from pallas_lsp.semantics import arithmetic
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.launches import Block, Launch
from pallas_lsp.semantics.values import Array, Constructed, Role, Sequence, Shape


class BlockRank(Rule):
    """A block has another number of dimensions than its array.

    ## What it does
    Reports a block shape whose length is not the number of dimensions of the input or output that it is for, where that
    is known. A dimension that the kernel is not to see is None in the block shape.

    ## What JAX says
    ```text
    must have the same number of dimensions as the array shape (8, 8).
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
    SPEC = pl.BlockSpec((8,), lambda i: (0,))
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

    code = "PAL205"
    name = "block-rank"
    severity = Severity.ERROR

    def check(self, analysis: Analysis, settings: Settings) -> Iterator[Finding]:
        """One finding for each launch."""
        return mistakes(self, analysis, _judge)


def _judge(launch: Launch) -> Iterator[Mistake]:
    for block in launch.blocks:
        spot, rank = spot_of(block.spec), block.rank
        if spot is None or rank is None or block.index < 0:
            continue
        for shape in _input_shapes(launch, block) if block.role is Role.INPUT else _output_shapes(launch, block):
            if shape is not None and len(shape) != rank:
                origin = f"args[{block.index}]" if block.role is Role.INPUT else "outputs"
                sizes = ", ".join("?" if size is None else str(size) for size in shape)
                printed = f"({sizes},)" if len(shape) == 1 else f"({sizes})"
                message = (
                    f"Block shape for {origin} has {rank} dimensions; it must have the same number of dimensions as the"
                    f" array shape {printed}."
                )
                yield Mistake(spot, message)
                break


def _input_shapes(launch: Launch, block: Block) -> Iterator[Shape | None]:
    """What the input of a block has for a shape, in each application in view."""
    prefetched = launch.prefetched
    if prefetched is None:
        return
    number = count(launch.part("in_specs"))
    for run in launch.runs:
        given = run.given
        if given is not None and given.complete and number == len(given.positional) - prefetched:
            array = arithmetic.as_array(given.positional[prefetched + block.index])
            yield None if array is None else array.shape


def _output_shapes(launch: Launch, block: Block) -> Iterator[Shape | None]:
    outputs = launch.named.get("outputs")
    single = isinstance(launch.part("out_specs"), Constructed)
    if isinstance(outputs, Sequence) and not single and len(outputs.items) == count(launch.part("out_specs")):
        outputs = outputs.items[block.index]
    elif not single:
        return
    match outputs:
        case Constructed(name="jax.ShapeDtypeStruct"):
            shape = outputs.get("shape")
            yield arithmetic.shape_of(shape) if isinstance(shape, Sequence) else None
        case Array(shape=known):
            yield known

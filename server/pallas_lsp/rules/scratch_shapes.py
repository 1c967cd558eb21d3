"""PAL109: `scratch_shapes` is not made of scratch types."""

from __future__ import annotations

from collections.abc import Iterator

from pallas_lsp.config import Settings
from pallas_lsp.findings import Finding, Severity
from pallas_lsp.rules.base import Rule
from pallas_lsp.rules.launches import Mistake, mistakes, part, wrapped
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.jax_api import MOSAIC_GPU, PALLAS, TPU
from pallas_lsp.semantics.launches import Launch
from pallas_lsp.semantics.values import NONE, Constant, Constructed, External, Mapping, Sequence, Value


class ScratchShapes(Rule):
    """`scratch_shapes` is no list of scratch types.

    ## What it does
    Reports `scratch_shapes` that is a single type or None, items that are no scratch types (a `jax.ShapeDtypeStruct`, a
    bare shape, `pltpu.VMEM` without its call), and a dict inside a `grid_spec`.

    The fix puts a single type into a list.

    ## What JAX says
    ```text
    'AbstractRef' object is not iterable
    ```

    ## Example
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl
    from jax.experimental.pallas import tpu as pltpu

    def copy(x_ref, o_ref, scratch_ref):
        scratch_ref[...] = x_ref[...]
        o_ref[...] = scratch_ref[...]

    x = jnp.arange(8.0)
    OUT = jax.ShapeDtypeStruct((8,), jnp.float32)
    y = pl.pallas_call(copy, out_shape=OUT, scratch_shapes=pltpu.VMEM((8,), jnp.float32), interpret=True)(x)
    ```

    ## Fixed
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl
    from jax.experimental.pallas import tpu as pltpu

    def copy(x_ref, o_ref, scratch_ref):
        scratch_ref[...] = x_ref[...]
        o_ref[...] = scratch_ref[...]

    x = jnp.arange(8.0)
    OUT = jax.ShapeDtypeStruct((8,), jnp.float32)
    y = pl.pallas_call(copy, out_shape=OUT, scratch_shapes=[pltpu.VMEM((8,), jnp.float32)], interpret=True)(x)
    ```
    """

    code = "PAL109"
    name = "scratch-shapes"
    severity = Severity.ERROR

    def check(self, analysis: Analysis, settings: Settings) -> Iterator[Finding]:
        """One finding for each launch."""
        return mistakes(self, analysis, _judge)


_TYPES = frozenset({f"{TPU}.VMEM", f"{TPU}.SMEM", f"{MOSAIC_GPU}.SMEM"})
"""Memory spaces that make a scratch type when they are called."""
_SEMAPHORES = frozenset(f"{module}.SemaphoreType" for module in (PALLAS, TPU))
"""Enumerations whose members are scratch types."""


def _judge(launch: Launch) -> Iterator[Mistake]:
    scratch = launch.part("scratch_shapes")
    if scratch is None:
        return
    spot = part(launch, "scratch_shapes")
    if _is_scratch_type(scratch):
        message = "`scratch_shapes` is a list of scratch types; this is a single one, and no object to iterate over."
        yield Mistake(spot, message, wrapped("Put the scratch type into a list", "[", "]"))
    elif scratch == NONE and "scratch" in launch.named:
        yield Mistake(spot, "'NoneType' object is not iterable: `scratch_shapes` is a list of scratch types.")
    elif isinstance(scratch, Mapping) and scratch.items and "scratch" not in launch.named:
        message = (
            "'str' object has no attribute 'get_ref_aval': inside a grid specification, `scratch_shapes` is a list."
        )
        yield Mistake(spot, message)
    elif isinstance(scratch, Sequence):
        problems = (problem for item in scratch.items for problem in _problems(item))
        first = next(problems, None)
        if first is not None:
            yield Mistake(spot, first)


def _is_scratch_type(value: Value) -> bool:
    match value:
        case Constructed(name=name):
            return name in _TYPES
        case External(name=name):
            return name.rpartition(".")[0] in _SEMAPHORES
        case _:
            return False


def _problems(item: Value) -> Iterator[str]:
    """What is wrong with one scratch type."""
    match item:
        case Constructed(name="jax.ShapeDtypeStruct"):
            yield (
                "'ShapeDtypeStruct' object has no attribute 'get_ref_aval': a scratch type says where it is kept, such"
                " as `pltpu.VMEM(shape, dtype)`."
            )
        case Constant(value=int() | str() as value):
            kind = type(value).__name__
            yield (
                f"'{kind}' object has no attribute 'get_ref_aval': a scratch type is made by"
                " `pltpu.VMEM(shape, dtype)`."
            )
        case External(name=name) if name in _TYPES:
            yield f"A scratch type needs a shape and a dtype: `{name.rpartition('.')[2]}(shape, dtype)`."
        case Constructed(name=name, complete=True) if name in _TYPES and isinstance(item.get("shape"), Constant):
            yield "'int' object is not iterable: the shape of a scratch type is a tuple."
        case Sequence(items=items):
            for inner in items:
                yield from _problems(inner)

"""PAL201: an index map takes another number of arguments than the grid has dimensions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial

from pallas_lsp.config import Settings
from pallas_lsp.findings import Applicability, Edit, Finding, Fix, Range, Severity
from pallas_lsp.rules.base import Rule, range_in
from pallas_lsp.rules.kernel_parameters import parameters_of
from pallas_lsp.rules.launches import Mistake, Spot, mistakes, plural, spot_of
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.launches import Launch
from pallas_lsp.semantics.values import Function
from pallas_lsp.syntax import walk


class IndexMapParameters(Rule):
    """An index map takes another number of arguments than the grid has dimensions.

    ## What it does
    Reports an index map that does not take one index for each dimension of the grid and, behind these, one Ref for each
    scalar prefetch argument.

    The fix adds parameters to a lambda, or takes away those at the end that it does not use.

    ## What JAX says
    ```text
    <lambda>() missing 1 required positional argument: 'j'
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
    SPEC = pl.BlockSpec((4, 8), lambda i, j: (i, 0))
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

    code = "PAL201"
    name = "index-map-parameters"
    severity = Severity.ERROR

    def check(self, analysis: Analysis, settings: Settings) -> Iterator[Finding]:
        """One finding for each launch."""
        return mistakes(self, analysis, _judge)


def _judge(launch: Launch) -> Iterator[Mistake]:
    for block in launch.blocks:
        index_map, passed, rank = block.index_map, block.passed, launch.grid_rank
        if index_map is None or passed is None or rank is None or block.invocation is not None:
            continue
        signature = parameters_of(index_map)
        complaint = "" if signature is None else signature.complaint(passed, ())
        if not complaint:
            continue
        spot = spot_of(block.spec)
        if isinstance(index_map, Function) and isinstance(index_map.node, ast.Lambda):
            spot = Spot(index_map.node, index_map.chunk, index_map.frame.path)
        behind = f" and {plural(passed - rank, 'scalar prefetch')}" if passed > rank else ""
        has = plural(rank, "dimension")
        if spot is not None:
            message = (
                f"{complaint}: an index map gets one index for each dimension of the grid, which has {has}{behind}."
            )
            yield Mistake(spot, message, partial(_adapted, passed))


def _adapted(passed: int, analysis: Analysis, spot: Spot) -> tuple[Fix, ...]:
    node = spot.node
    if not isinstance(node, ast.Lambda):
        return ()
    arguments = node.args
    if arguments.vararg or arguments.kwonlyargs or arguments.kwarg or arguments.defaults or arguments.posonlyargs:
        return ()
    names = [one.arg for one in arguments.args]
    used = {part.id for part in walk(node.body) if isinstance(part, ast.Name)}
    if len(names) > passed:
        if used & set(names[passed:]):
            return ()
        left = names[:passed]
        title, reason = "Take away the parameters that are not used", ""
    else:
        taken = {*names, *used}
        candidates = ("j", "k", "m", "n", *(f"index_{number}" for number in range(passed)))
        free = [name for name in candidates if name not in taken]
        left = names + free[: passed - len(names)]
        title, reason = "Add a parameter for each dimension of the grid", "The new indices are not used."
    body = range_in(analysis, spot.chunk, node.body).start
    start = range_in(analysis, spot.chunk, node).start
    between = analysis.module.parsed.source.slice(Range(start, body))
    before, colon, behind = between.partition(":")
    if not colon or "#" in between or before.split("lambda")[-1].replace(" ", "") != ",".join(names):
        return ()
    text = f"lambda {', '.join(left)}:{behind}" if left else f"lambda:{behind}"
    edit = Edit(Range(start, body), text)
    return (Fix(title, (edit,), Applicability.UNSAFE if reason else Applicability.SAFE, reason),)

"""PAL107: `pallas_call` has no such parameter."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from difflib import get_close_matches
from functools import partial

from pallas_lsp.config import Settings
from pallas_lsp.findings import Applicability, Edit, Finding, Fix, Position, Range, Severity
from pallas_lsp.rules.base import Rule, range_in
from pallas_lsp.rules.launches import Mistake, Spot, mistakes
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.launches import Launch


class UnknownKeyword(Rule):
    """`pl.pallas_call` is given an argument that it does not take.

    ## What it does
    Reports keywords that no release of JAX knows, and more than two arguments by position. Keywords that other releases
    know are for PAL601.

    The fix spells the keyword as one that is much like it.

    ## What JAX says
    ```text
    pallas_call() got an unexpected keyword argument 'out_spec'
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
    y = pl.pallas_call(copy, out_shape=OUT, out_spec=pl.BlockSpec((8,), lambda: (0,)), interpret=True)(x)
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
    y = pl.pallas_call(copy, out_shape=OUT, out_specs=pl.BlockSpec((8,), lambda: (0,)), interpret=True)(x)
    ```
    """

    code = "PAL107"
    name = "unknown-keyword"
    severity = Severity.ERROR

    def check(self, analysis: Analysis, settings: Settings) -> Iterator[Finding]:
        """One finding for each launch."""
        return mistakes(self, analysis, _judge)


KEYWORDS = frozenset(
    {
        *("kernel", "out_shape", "grid_spec", "grid", "in_specs", "out_specs", "scratch_shapes"),
        *("input_output_aliases", "debug", "interpret", "name", "compiler_params", "cost_estimate", "metadata"),
        *("backend", "f"),
    }
)
"""What `pallas_call` takes in any release from 0.4.31 on."""


def _judge(launch: Launch) -> Iterator[Mistake]:
    node = launch.node
    if not isinstance(node, ast.Call):
        return
    for keyword in node.keywords:
        if keyword.arg is not None and keyword.arg not in KEYWORDS and keyword.arg in launch.named:
            close = [one for one in get_close_matches(keyword.arg, sorted(KEYWORDS), 1) if one not in launch.named]
            meant = f" Did you mean `{close[0]}`?" if close else ""
            yield Mistake(
                Spot(keyword, launch.chunk, launch.path),
                f"pallas_call() got an unexpected keyword argument '{keyword.arg}'.{meant}",
                partial(_respelled, close),
            )
    called = ast.unparse(node.func)
    starred = any(isinstance(one, ast.Starred) for one in node.args)
    if called.rpartition(".")[2] == "pallas_call" and len(node.args) > 2 and not starred:
        message = f"pallas_call() takes 2 positional arguments but {len(node.args)} were given."
        yield Mistake(Spot(node.args[2], launch.chunk, launch.path), f"{message} Give this one by its keyword.")


def _respelled(close: list[str], analysis: Analysis, spot: Spot) -> tuple[Fix, ...]:
    if not close or not isinstance(spot.node, ast.keyword) or spot.node.arg is None:
        return ()
    start = range_in(analysis, spot.chunk, spot.node).start
    name = Range(start, Position(start.line, start.character + len(spot.node.arg)))
    if analysis.module.parsed.source.slice(name) != spot.node.arg:
        return ()
    reason = "It is taken for a misspelling."
    return (Fix(f"Spell it `{close[0]}`", (Edit(name, close[0]),), Applicability.UNSAFE, reason),)

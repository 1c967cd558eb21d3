"""PAL103: `out_specs` does not fit `out_shape`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pallas_lsp.config import Settings
from pallas_lsp.findings import Applicability, Edit, Finding, Fix, Severity
from pallas_lsp.rules.base import Rule, range_in
from pallas_lsp.rules.launches import (
    FixMaker,
    Mistake,
    Spot,
    count,
    is_block_spec,
    is_shape,
    mistakes,
    no_fixes,
    part,
    plural,
    source_of,
    wrapped,
)
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.launches import Launch
from pallas_lsp.semantics.values import Mapping, Sequence


class OutSpecs(Rule):
    """`out_specs` has another form than `out_shape`.

    ## What it does
    Reports `out_specs` that is not the same tree as `out_shape`: one BlockSpec for a list of outputs, a list of specs
    for an output that is in no list, or another number of specs than there are outputs.

    The fix puts a single spec into a list, or takes it out, where there is one output.

    ## What JAX says
    ```text
    Pytree for `out_specs` and `out_shape` do not match
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
    y = pl.pallas_call(copy, out_shape=OUT, out_specs=[pl.BlockSpec((8,), lambda: (0,))], interpret=True)(x)
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

    code = "PAL103"
    name = "out-specs"
    severity = Severity.ERROR

    def check(self, analysis: Analysis, settings: Settings) -> Iterator[Finding]:
        """One finding for each launch."""
        return mistakes(self, analysis, out_specs_mistakes)


def out_specs_mistakes(launch: Launch) -> Iterator[Mistake]:
    """What is wrong with `out_specs`."""
    specs, outputs = launch.part("out_specs"), launch.named.get("outputs")
    if specs is None or outputs is None:
        return
    problem = ""
    fixes: FixMaker = no_fixes
    number, expected = count(specs), count(outputs)
    if is_block_spec(specs) and isinstance(outputs, (Sequence, Mapping)):
        kind = "a dict" if isinstance(outputs, Mapping) else f"a {'list' if outputs.is_list else 'tuple'}"
        problem = f"`out_shape` is {kind}, and `out_specs` a BlockSpec that is in none"
        fixes = wrapped("Put the BlockSpec into a list", "[", "]") if expected == 1 else no_fixes
    elif is_shape(outputs) and isinstance(specs, Sequence):
        kind = "list" if specs.is_list else "tuple"
        problem = f"`out_specs` is a {kind}, and `out_shape` an output that is in none"
        fixes = _unwrapped if number == 1 else no_fixes
    elif isinstance(specs, Sequence) and isinstance(outputs, Sequence) and number != expected:
        assert number is not None and expected is not None
        problem = f"there are {plural(number, 'spec')} for {plural(expected, 'output')}"
    if problem:
        message = f"Pytree for `out_specs` and `out_shape` do not match: {problem}."
        yield Mistake(part(launch, "out_specs"), message, fixes)


def _unwrapped(analysis: Analysis, spot: Spot) -> tuple[Fix, ...]:
    node = spot.node
    if not isinstance(node, (ast.List, ast.Tuple)) or len(node.elts) != 1 or isinstance(node.elts[0], ast.Starred):
        return ()
    edit = Edit(range_in(analysis, spot.chunk, node), source_of(analysis, spot, node.elts[0]))
    return (Fix("Give the BlockSpec by itself", (edit,), Applicability.SAFE),)

"""PAL111: `input_output_aliases` does not fit the launch."""

from __future__ import annotations

from collections.abc import Iterator

from pallas_lsp.config import Settings
from pallas_lsp.findings import Finding, Severity
from pallas_lsp.rules.base import Rule
from pallas_lsp.rules.launches import Mistake, argument, head, is_shape, mistakes
from pallas_lsp.semantics import arithmetic
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.launches import Launch
from pallas_lsp.semantics.values import NONE, Array, Mapping, Sequence, Value


class Aliases(Rule):
    """`input_output_aliases` is no dict, or names an input or output that there is not.

    ## What it does
    Reports aliases that are no dict from the number of an input to that of an output, and numbers out of range. Inputs
    count from 0, scalar prefetch included.

    ## What JAX says
    ```text
    input_output_aliases contains the mapping '1:0' with input index 1 outside the range [0, 1)
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
    y = pl.pallas_call(copy, out_shape=OUT, input_output_aliases={1: 0}, interpret=True)(x)
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
    y = pl.pallas_call(copy, out_shape=OUT, input_output_aliases={0: 0}, interpret=True)(x)
    ```
    """

    code = "PAL111"
    name = "aliases"
    severity = Severity.ERROR

    def check(self, analysis: Analysis, settings: Settings) -> Iterator[Finding]:
        """One finding for each launch."""
        return mistakes(self, analysis, _judge)


def _judge(launch: Launch) -> Iterator[Mistake]:
    aliases = launch.named.get("input_output_aliases")
    spot = argument(launch, "input_output_aliases") or head(launch)
    if aliases == NONE or isinstance(aliases, Sequence):
        kind = (
            "NoneType" if aliases == NONE else "list" if isinstance(aliases, Sequence) and aliases.is_list else "tuple"
        )
        message = f"'{kind}' object has no attribute 'items': `input_output_aliases` is a dict from inputs to outputs."
        yield Mistake(spot, message)
    if not isinstance(aliases, Mapping):
        return
    inputs, outputs = _number_of_inputs(launch), _leaves(launch.named.get("outputs"))
    for key, value in aliases.items:
        index = getattr(value, "value", None)
        if not isinstance(key, int) or not isinstance(index, int):
            continue
        pair = f"input_output_aliases contains the mapping '{key}:{index}' with"
        if inputs is not None and not 0 <= key < inputs:
            yield Mistake(spot, f"{pair} input index {key} outside the range [0, {inputs}).")
            return
        if outputs is not None and not 0 <= index < outputs:
            yield Mistake(spot, f"{pair} output index {index} outside the range [0, {outputs}).")
            return


def _number_of_inputs(launch: Launch) -> int | None:
    """The largest number of arrays that the launch is given; None when it is given what may be a tree."""
    sizes: set[int] = set()
    for run in launch.runs:
        given = run.given
        if given is None or not given.complete or given.keywords:
            return None
        if not all(isinstance(arithmetic.as_array(one), Array) for one in given.positional):
            return None
        sizes.add(len(given.positional))
    return max(sizes, default=None)


def _leaves(outputs: Value | None) -> int | None:
    if is_shape(outputs):
        return 1
    if isinstance(outputs, Sequence) and all(is_shape(item) for item in outputs.items):
        return len(outputs.items)
    return None

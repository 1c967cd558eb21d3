"""PAL102: `in_specs` does not fit the inputs."""

from __future__ import annotations

from collections.abc import Iterator

from pallas_lsp.config import Settings
from pallas_lsp.findings import Finding, Severity
from pallas_lsp.rules.base import Rule
from pallas_lsp.rules.launches import Mistake, count, is_block_spec, mistakes, no_fixes, part, plural, wrapped
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.launches import Launch
from pallas_lsp.semantics.values import NONE, Mapping


class InSpecs(Rule):
    """`in_specs` is not one BlockSpec for each input.

    ## What it does
    Reports `in_specs` that is no tuple or list, and one that has another number of specs than the launched function is
    given inputs. Arguments that are scalar prefetch have no spec.

    The fix puts a single spec into a list.

    ## What JAX says
    ```text
    `in_specs` must be a tuple or a list. Found: BlockSpec(
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
    y = pl.pallas_call(copy, out_shape=OUT, in_specs=pl.BlockSpec((8,), lambda: (0,)), interpret=True)(x)
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
    y = pl.pallas_call(copy, out_shape=OUT, in_specs=[pl.BlockSpec((8,), lambda: (0,))], interpret=True)(x)
    ```
    """

    code = "PAL102"
    name = "in-specs"
    severity = Severity.ERROR

    def check(self, analysis: Analysis, settings: Settings) -> Iterator[Finding]:
        """One finding for each launch."""
        return mistakes(self, analysis, in_specs_mistakes)


def in_specs_mistakes(launch: Launch) -> Iterator[Mistake]:
    """What is wrong with `in_specs`."""
    specs = launch.part("in_specs")
    if specs is None:
        return
    spot = part(launch, "in_specs")
    if is_block_spec(specs) or specs == NONE or isinstance(specs, Mapping):
        kind = "a BlockSpec" if is_block_spec(specs) else "None" if specs == NONE else "a dict"
        fixes = wrapped("Put the BlockSpec into a list", "[", "]") if is_block_spec(specs) else no_fixes
        yield Mistake(spot, f"`in_specs` must be a tuple or a list; this is {kind}.", fixes)
        return
    number, prefetched = count(specs), launch.prefetched
    if number is None or prefetched is None:
        return
    for run in launch.runs:
        if run.given is not None and run.given.complete and not run.given.keywords:
            inputs = len(run.given.positional) - prefetched
            if inputs >= 0 and inputs != number:
                behind = " besides the scalar prefetch" if prefetched else ""
                yield Mistake(
                    spot,
                    f"Pytree for `in_specs` and `inputs` do not match: there are {plural(number, 'spec')} for"
                    f" {plural(inputs, 'input')}{behind}.",
                )
                return

"""PAL101: a kernel takes another number of parameters than the launch passes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pallas_lsp.config import Settings
from pallas_lsp.findings import Finding, Severity
from pallas_lsp.rules.base import Rule
from pallas_lsp.rules.in_specs import in_specs_mistakes
from pallas_lsp.rules.launches import Mistake, argument, head, mistakes, number_of_outputs, plural
from pallas_lsp.rules.out_shape import out_shape_mistakes
from pallas_lsp.rules.out_specs import out_specs_mistakes
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.kernels import Verdict, verdict
from pallas_lsp.semantics.launches import KernelRun, Launch
from pallas_lsp.semantics.values import Bound, Function, Partial, Value


class KernelParameters(Rule):
    """A kernel takes another number of parameters than its launch passes.

    ## What it does
    Reports a launch whose kernel has too few or too many parameters. A kernel gets, by position and in this order:
    scalar prefetch, inputs, outputs and scratch. There is one parameter for each argument of the launched function, one
    for each item of `out_shape` (one in all if it is no tuple or list), and one for each item of `scratch_shapes`.

    It is silent when one of these numbers is not known, and when the kernel returns a value in place of an output
    parameter: that is for PAL001, with its fix.

    ## What JAX says
    ```text
    add() missing 1 required positional argument: 'o_ref'
    ```

    ## Example
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def add(x_ref, y_ref, o_ref):
        o_ref[...] = x_ref[...] + y_ref[...]

    x = jnp.arange(8.0)
    y = pl.pallas_call(add, out_shape=jax.ShapeDtypeStruct((8,), jnp.float32), interpret=True)(x)
    ```

    ## Fixed
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def add(x_ref, y_ref, o_ref):
        o_ref[...] = x_ref[...] + y_ref[...]

    x = jnp.arange(8.0)
    y = pl.pallas_call(add, out_shape=jax.ShapeDtypeStruct((8,), jnp.float32), interpret=True)(x, x)
    ```
    """

    code = "PAL101"
    name = "kernel-parameters"
    severity = Severity.ERROR

    def check(self, analysis: Analysis, settings: Settings) -> Iterator[Finding]:
        """One finding for each launch."""
        return mistakes(self, analysis, _judge)


def _judge(launch: Launch) -> Iterator[Mistake]:
    if launch.named.keys() & {"grid_spec"} and launch.prefetched is None:
        return
    other = (in_specs_mistakes, out_specs_mistakes, out_shape_mistakes)
    if any(True for judge in other for _ in judge(launch)):
        return  # which of the numbers is right is not known
    for run in launch.runs:
        problem = _problem(run)
        if problem:
            yield Mistake(argument(launch, "kernel") or head(launch), problem, kernel=run.invocation.function)
            return


def _problem(run: KernelRun) -> str:
    given, outputs, launch = run.given, number_of_outputs(run.launch), run.launch
    if given is None or not given.complete or given.keywords or outputs is None or run.expected is None:
        return ""
    signature = parameters_of(run.kernel)
    if signature is None or run.inputs is None or run.scratch is None:
        return ""
    prefetched = launch.prefetched or 0
    passed = prefetched + run.inputs + outputs + len(run.scratch)
    complaint = signature.complaint(passed, run.keywords)
    in_place_of_outputs = verdict(run.invocation.value) is Verdict.VALUE and len(signature.positional) < passed
    if not complaint or in_place_of_outputs:
        return ""
    parts = [
        *([plural(prefetched, "scalar prefetch")] if prefetched else []),
        plural(run.inputs, "input"),
        plural(outputs, "output"),
        *([f"{len(run.scratch)} scratch"] if run.scratch else []),
    ]
    listed = f"{', '.join(parts[:-1])} and {parts[-1]}"
    takes = len(signature.positional)
    short = _short(takes, run, outputs)
    return f"{complaint}. The launch passes {passed} ({listed}), and the kernel takes {takes}.{short}"


def _short(takes: int, run: KernelRun, outputs: int) -> str:
    """Which parameters seem to be missing, where the numbers say so."""
    assert run.inputs is not None and run.scratch is not None
    before = (run.launch.prefetched or 0) + run.inputs
    if run.scratch and takes == before + outputs:
        return " There is no parameter for the scratch."
    if takes == before + len(run.scratch):
        return " There is no parameter for the outputs."
    return ""


@dataclass(frozen=True, slots=True)
class Parameters:
    """What a callable takes.

    Args:
      name: of the function.
      positional: the parameters that arguments given by position go to.
      defaults: how many of them, the last ones, have a default.
      bound: how many came before them and are given.
      has_rest: whether there is a `*args`.
      keywords: the required keyword-only parameters.
    """

    name: str
    positional: tuple[str, ...]
    defaults: int
    bound: int
    has_rest: bool
    keywords: tuple[str, ...]

    def complaint(self, passed: int, by_keyword: tuple[str, ...]) -> str:
        """What Python says about a call with so many arguments; empty when it fits, or when it is not sure."""
        free = [name for name in self.positional if name not in by_keyword]
        twice = set(self.positional[:passed]) & set(by_keyword)
        if self.keywords and set(self.keywords) - set(by_keyword):
            return ""
        required = [name for name in self.positional[: len(self.positional) - self.defaults] if name not in by_keyword]
        if passed > len(free) and not self.has_rest and not twice:
            takes = self.bound + len(self.positional)
            low = takes - self.defaults
            count = f"from {low} to {takes}" if self.defaults else str(takes)
            noun = "argument" if takes == 1 else "arguments"
            return f"{self.name}() takes {count} positional {noun} but {self.bound + passed} were given"
        missing = [name for name in required if name not in self.positional[:passed]]
        if missing:
            quoted = [f"'{name}'" for name in missing]
            listed = quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"
            if len(quoted) > 2:
                listed = f"{', '.join(quoted[:-1])}, and {quoted[-1]}"
            noun = "argument" if len(missing) == 1 else "arguments"
            return f"{self.name}() missing {len(missing)} required positional {noun}: {listed}"
        return ""


def parameters_of(kernel: Value) -> Parameters | None:
    """What a function, a bound method or a partial takes; None for anything else, or when a star hides arguments."""
    match kernel:
        case Function(node=node, wraps=None):
            arguments = node.args
            names = tuple(one.arg for one in (*arguments.posonlyargs, *arguments.args))
            required = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
            keywords = tuple(one.arg for one, default in required if default is None)
            return Parameters(kernel.name, names, len(arguments.defaults), 0, arguments.vararg is not None, keywords)
        case Bound(function=inner):
            return _without_first(parameters_of(inner), 1, ())
        case Partial(function=inner, arguments=first, keywords=pairs, complete=True):
            return _without_first(parameters_of(inner), len(first), tuple(name for name, _ in pairs))
        case _:
            return None


def _without_first(inside: Parameters | None, number: int, names: tuple[str, ...]) -> Parameters | None:
    """The parameters that are left once some are given by position, and some by name."""
    if inside is None or (number > len(inside.positional) and not inside.has_rest):
        return None
    left = inside.positional[number:]
    required = len(left) - min(inside.defaults, len(left))
    for position, name in enumerate(left):
        if name in names:
            # What stands behind it can be given by name only; a launch gives by position.
            rest = [one for one in left[position:] if one not in names]
            if any(one in left[:required] for one in rest) or inside.has_rest:
                return None
            left = left[:position]
            break
    keywords = tuple(name for name in inside.keywords if name not in names)
    defaults = len(left) - min(required, len(left))
    return Parameters(inside.name, left, defaults, inside.bound + number, inside.has_rest, keywords)

"""PAL303: an output is never written."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pallas_lsp.config import Settings
from pallas_lsp.findings import Finding, Severity
from pallas_lsp.rules.base import Rule, group_of, range_in, related_launches
from pallas_lsp.rules.returns import returned_values
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.events import names_in
from pallas_lsp.semantics.jax_api import Outcome, Signature
from pallas_lsp.semantics.kernels import leaves
from pallas_lsp.semantics.launches import KernelRun, Launch
from pallas_lsp.semantics.pieces import Piece
from pallas_lsp.semantics.values import Function, Ref, is_none
from pallas_lsp.syntax import walk


class UnwrittenOutput(Rule):
    """A kernel does not mention one of its outputs, which is never written.

    ## What it does
    Reports an output parameter of a `pl.pallas_call` kernel whose name does not occur in the kernel at all, though the
    kernel reads or stores something else. A name that starts with `_` says that this is meant, and an output that is
    aliased to an input keeps that input.

    ## What JAX says
    Nothing. The output is uninitialised; in interpret mode it is NaN.

    ## Example
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def k(x_ref, o_ref, twice_ref):
        o_ref[...] = x_ref[...]

    x = jnp.arange(8.0)
    OUT = jax.ShapeDtypeStruct((8,), jnp.float32)
    y = pl.pallas_call(k, out_shape=(OUT, OUT), interpret=True)(x)
    ```

    ## Fixed
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def k(x_ref, o_ref, twice_ref):
        o_ref[...] = x_ref[...]
        twice_ref[...] = x_ref[...] * 2

    x = jnp.arange(8.0)
    OUT = jax.ShapeDtypeStruct((8,), jnp.float32)
    y = pl.pallas_call(k, out_shape=(OUT, OUT), interpret=True)(x)
    ```
    """

    code = "PAL303"
    name = "unwritten-output"
    severity = Severity.WARNING

    def check(self, analysis: Analysis, settings: Settings) -> Iterator[Finding]:
        """One finding for each parameter."""
        reported: set[ast.arg] = set()
        for launch, function, parameter in analysis.each(_unused_in, _unused_in):
            own = function.frame.path == analysis.module.path and parameter not in reported
            if own and not _loses_a_value(analysis, function):
                reported.add(parameter)
                yield self._finding(analysis, launch, function, parameter)

    def _finding(self, analysis: Analysis, launch: Launch, function: Function, parameter: ast.arg) -> Finding:
        return Finding(
            self.code,
            self.name,
            f"The output `{parameter.arg}` is never written: the result is whatever was in memory.",
            self.severity,
            range_in(analysis, function.chunk, parameter),
            related_launches(analysis, (launch,), f"`{function.name}` is given to `{{entry}}` here."),
            group=group_of(analysis, function.chunk, function.node),
        )


def _unused_in(piece: Piece) -> Iterator[tuple[Launch, Function, ast.arg]]:
    """The outputs that are not written in the kernels which a piece launches."""
    for launch in piece.launches:
        for run in launch.runs:
            function = run.invocation.function
            if function is not None and _is_plain(run):
                yield from ((launch, function, parameter) for parameter in _unused_outputs(run, function))


def _is_plain(run: KernelRun) -> bool:
    """Whether a launch makes fresh outputs, and its kernel gives nothing back that was meant for them."""
    launch = run.launch
    fresh = launch.row.signature is Signature.PALLAS_CALL and launch.complete
    aliased = "input_output_aliases" in launch.named
    returns_none = is_none(run.invocation.value)
    return fresh and not aliased and returns_none and run.is_traced and bool(run.outputs)


def _unused_outputs(run: KernelRun, function: Function) -> Iterator[ast.arg]:
    """The parameters that are outputs, and whose names do not occur in a body that does something."""
    node = function.node
    if not isinstance(node, ast.FunctionDef) or node.decorator_list or function.wraps is not None:
        return
    names = frozenset().union(*map(names_in, node.body))
    if not any(_is_access(part, run) for statement in node.body for part in walk(statement)):
        return  # it works on semaphores, or only prints
    outputs = set(leaves(run.outputs or ()))
    for parameter in (*node.args.posonlyargs, *node.args.args):
        value = run.invocation.arguments.get(parameter.arg)
        unused = parameter.arg not in names and not parameter.arg.startswith("_") and "locals" not in names
        if unused and isinstance(value, Ref) and value in outputs and value.leaf:
            yield parameter


def _loses_a_value(analysis: Analysis, function: Function) -> bool:
    """Whether a body in the kernel returns a value, which another rule reports: it was meant for the output."""
    lost = (*returned_values(analysis, Outcome.DROPS), *returned_values(analysis, Outcome.RAISES_OTHERWISE))
    inside = set(walk(function.node))
    return any(ways[0].node in inside for ways in lost)


def _is_access(node: ast.AST, run: KernelRun) -> bool:
    """Whether a node reads a parameter, or stores into it."""
    return (
        isinstance(node, ast.Subscript)
        and isinstance(node.value, ast.Name)
        and isinstance(run.invocation.arguments.get(node.value.id), Ref)
    )

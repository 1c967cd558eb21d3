"""A returned value and the place it is returned at: all that a plan for its fix depends on."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass

from pallas_lsp.rewrite import FunctionSource, Rewrite
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.jax_api import NEWEST, Version
from pallas_lsp.semantics.kernels import Way, reference_names
from pallas_lsp.semantics.values import Bound, External, OneOf, Partial, Ref, Scoped, Value


@dataclass(frozen=True, slots=True)
class Plan:
    """One way to mend a return.

    Args:
      title: of the action.
      rewrite: what it changes.
      doubts: what makes it unsafe; empty for a safe fix.
    """

    title: str
    rewrite: Rewrite
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """A returned value, and all that is known of where it may go.

    Args:
      way: the return under its first launch.
      source: its function.
      value: what it returns.
      outputs: the output parameters.
      names: Python text for the Refs.
      numpy: how the module calls `jax.numpy`, empty when it does not import it.
      target: the JAX release that the module is written for.
      reads_inputs: whether the same fix reads each input, wherever it is used, with `[...]`.
    """

    way: Way
    source: FunctionSource
    value: Value
    outputs: tuple[Value, ...]
    names: dict[Ref, str]
    numpy: str
    target: Version = NEWEST
    reads_inputs: bool = False

    @property
    def expression(self) -> ast.expr:
        """What is returned."""
        node = self.way.node
        expression = node.body if isinstance(node, ast.Lambda) else node.value
        assert expression is not None
        return expression


class Impossible(Exception):
    """No store is right; the message says why."""


def place_of(analysis: Analysis, way: Way) -> Place:
    """The place of one return, for one launch."""
    module = analysis.module
    function = way.function
    source = FunctionSource(module.parsed.source, module.parsed.line_of(function.chunk), function.node)
    outputs = way.run.outputs or ()
    return Place(
        way, source, way.returned.value, outputs, certain_names(way), _numpy_name(analysis, way), analysis.target
    )


def certain_names(way: Way) -> dict[Ref, str]:
    """The names of Refs, without those that may mean something else on another path to the return."""
    local = way.returned.names
    return {ref: text for ref, text in reference_names(way).items() if not isinstance(local.get(text), OneOf)}


def quoted(place: Place, refs: Iterable[Ref]) -> str:
    """The names of Refs as a message lists them."""
    names = [f"`{place.names[ref]}`" for ref in refs if ref in place.names]
    if not names:
        return "the output Ref"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def names_given(place: Place) -> frozenset[str]:
    """The parameters that the launch's kernel, a partial, binds by keyword."""
    stack = list(place.way.launch.kernels)
    found: set[str] = set()
    while stack:
        kernel = stack.pop()
        if isinstance(kernel, (Partial, Scoped)):
            found.update(name for name, _ in kernel.keywords)
        if isinstance(kernel, (Partial, Scoped, Bound)):
            stack.append(kernel.function)
    return frozenset(found)


def _numpy_name(analysis: Analysis, way: Way) -> str:
    """How `jax.numpy` is called at a return: `jnp`, or `jax.numpy` where there is `jax`; empty when it is neither."""
    module = analysis.module
    for imported in module.imports:
        path = f"{imported.module}.{imported.name}" if imported.name else imported.module
        if path == "jax.numpy" and imported.alias and _means(analysis, way, imported.alias, "jax.numpy"):
            return imported.alias
    return "jax.numpy" if _means(analysis, way, "jax", "jax") else ""


def _means(analysis: Analysis, way: Way, name: str, path: str) -> bool:
    value = way.returned.names.get(name)
    if value is None:
        value = analysis.interpreter.module_name(analysis.module, name)
    return isinstance(value, External) and value.name == path

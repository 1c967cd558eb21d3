"""What the three rules about returned values share: grouping by `return`, wording, ranges."""

from __future__ import annotations

import ast
import re

from pallas_lsp.findings import Finding, Fix, Range
from pallas_lsp.rules.base import Rule, group_of, range_in, related_launches
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.jax_api import Outcome
from pallas_lsp.semantics.kernels import Verdict, Way, kernel_name, leaves, reference_names, verdict, ways_out
from pallas_lsp.semantics.values import Instance, Value, foreign_type, is_leafless, pytree


def returned_values(analysis: Analysis, outcome: Outcome) -> list[list[Way]]:
    """The returns that give a value for certain to a launch with that outcome, each with all such ways."""
    found = []
    for ways in ways_out(analysis).values():
        wrong = [way for way in ways if way.launch.outcome is outcome and verdict(way.returned.value) is Verdict.VALUE]
        if wrong:
            found.append(wrong)
    return found


def finding(rule: Rule, analysis: Analysis, ways: list[Way], message: str, *, fixable: bool) -> Finding:
    """The finding on one `return`, or on the body of one lambda."""
    way = ways[0]

    def fixes() -> tuple[Fix, ...]:
        # Imported when somebody asks: most checks end without a fix.
        from pallas_lsp.rules.storing import fixes_of

        return fixes_of(analysis, ways) if fixable else ()

    return Finding(
        code=rule.code,
        name=rule.name,
        message=message,
        severity=rule.severity,
        range=return_range(analysis, way),
        related=related_launches(
            analysis, (one.launch for one in ways), f"`{way.function.name}` is given to `{{entry}}` here."
        ),
        group=group_of(analysis, way.function.chunk, way.function.node),
        make_fixes=fixes,
    )


def return_range(analysis: Analysis, way: Way) -> Range:
    """The return statement, or the lambda's body."""
    node = way.node
    return range_in(analysis, way.function.chunk, node.body if isinstance(node, ast.Lambda) else node)


def tree_of(value: Value) -> str:
    """The tree as JAX prints it, empty when it is not known."""
    tree = pytree(value)
    return "" if tree is None else f"PyTreeDef({tree})"


def says(analysis: Analysis, way: Way) -> str:
    """The sentence with which JAX stops, as far as its parts are known."""
    value = way.returned.value
    type_name = foreign_type(value)
    if type_name:
        return (
            f"The kernel function `{kernel_name(way.run)}` should return None."
            f" It returns a value of type `{type_name}`, which is not a valid JAX type."
        )
    tree = "" if isinstance(value, Instance) else tree_of(value)
    sentence = way.launch.row.wording(analysis.target)
    if not tree:
        sentence = re.sub(r" (?:It returns|Found) a PyTree: \{tree\}\.", " It returns a value.", sentence)
    return sentence.format(name=kernel_name(way.run), tree=tree)


def remedy(way: Way) -> str:
    """What is to be done with the value, as the end of a message."""
    # Imported for a finding: most checks end without one.
    from pallas_lsp.rules.held import is_held

    names = reference_names(way)
    outputs = [names[ref] for ref in leaves(way.run.outputs or ()) if ref in names]
    if is_leafless(way.returned.value):
        return " There is nothing in it to store."
    if way.run.lacks_outputs:
        return " Add an output parameter and store the result in it."
    if not outputs:
        return ""
    if is_held(way, names):
        return f" It is in {_listed(outputs)} already."
    return f" Store the result in {_listed(outputs)}."


def _listed(names: list[str]) -> str:
    quoted = [f"`{name}[...]`" for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"

"""Passes an array that a kernel captures as one more input: a parameter, an argument, a spec, and reads of the Ref."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from pallas_lsp.findings import Applicability, Edit, Fix, Range
from pallas_lsp.rewrite.source import fresh_name
from pallas_lsp.rules.base import range_in
from pallas_lsp.rules.events import name_for
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.bindings import scope_bindings
from pallas_lsp.semantics.events import Event
from pallas_lsp.semantics.jax_api import PALLAS
from pallas_lsp.syntax import Chunk, walk

_OF_REFS = frozenset({"shape", "dtype", "ndim", "size"})
"""What a Ref answers as the array does."""

_SEEN_WHOLE = "Every step of the grid is given the whole array."


def added_input(analysis: Analysis, event: Event) -> tuple[Fix, ...]:
    """The fix, where the kernel is a `def` that is launched once, by name, and called with its inputs at once."""
    kernel, launch = event.functions[0], event.launches[0]
    runs = [run for one in analysis.launches for run in one.runs if _node_of(run.invocation.function) is kernel]
    name, pallas = event.node, name_for(analysis, PALLAS)
    call = _application(event)
    if len(runs) != 1 or call is None or not isinstance(name, ast.Name) or not isinstance(kernel, ast.FunctionDef):
        return ()
    if all(node is not name for node in walk(kernel)) or not _means_the_same(event, kernel, name.id):
        return ()
    inputs, parameters = runs[0].inputs, (*kernel.args.posonlyargs, *kernel.args.args)
    plain = not call.keywords and call.args and not any(isinstance(one, ast.Starred) for one in call.args)
    if inputs is None or inputs != len(call.args) or not plain or len(parameters) <= inputs or kernel.args.posonlyargs:
        return ()
    if launch.named.keys() & {"grid_spec", "input_output_aliases"} or not pallas:
        return ()
    if name.id in scope_bindings(kernel.body, event.chunk) | {
        parameter.arg for parameter in (*parameters, *kernel.args.kwonlyargs)
    }:
        return ()
    new = fresh_name(analysis.module.parsed.source, f"{re.sub('_+$', '', name.id.lower()).lstrip('_')}_ref")
    edits = [*_reads(analysis, event, kernel, name.id, new)]
    start = range_in(analysis, event.chunk, parameters[inputs]).start
    edits.append(Edit(Range(start, start), f"{new}, "))
    edits.append(_behind(analysis, launch.chunk, call.args[-1], f", {name.id}"))
    specs = _in_specs(call)
    if "in_specs" in launch.named:
        if not isinstance(specs, (ast.List, ast.Tuple)) or not specs.elts:
            return ()
        edits.append(_behind(analysis, launch.chunk, specs.elts[-1], f", {pallas}.BlockSpec()"))
    ordered = tuple(sorted(edits, key=lambda edit: edit.range))
    title = f"Pass `{name.id}` as an input"
    if "grid" in launch.named:
        return (Fix(title, ordered, Applicability.UNSAFE, _SEEN_WHOLE),)
    return (Fix(title, ordered, Applicability.SAFE),)


def _node_of(function: object) -> ast.AST | None:
    return getattr(function, "node", None)


def _application(event: Event) -> ast.Call | None:
    """The call of what the launch returned, where it stands with the launch, in the module of the kernel."""
    launch = event.launches[0]
    if launch.path == event.path:
        for statement in launch.chunk.statements:
            for node in walk(statement):
                if isinstance(node, ast.Call) and node.func is launch.node:
                    return node
    return None


def _behind(analysis: Analysis, chunk: Chunk, node: ast.expr, text: str) -> Edit:
    """The edit that puts text behind an expression."""
    end = range_in(analysis, chunk, node).end
    return Edit(Range(end, end), text)


def _means_the_same(event: Event, kernel: ast.AST, name: str) -> bool:
    """Whether a name of the kernel means the same where the launch is."""
    launch = event.launches[0]
    around_launch = _binders(launch.chunk, launch.node, name)
    around_kernel = [one for one in _binders(event.chunk, kernel, name) if one is not kernel]
    return around_launch[-1:] == around_kernel[-1:]


def _binders(chunk: Chunk, inner: ast.AST, name: str) -> list[ast.AST]:
    """The functions around a node that bind a name, outermost first."""
    found: list[ast.AST] = []
    for statement in chunk.statements:
        for node in walk(statement):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and any(one is inner for one in walk(node)):
                arguments = node.args
                parameters = {one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
                if name in parameters | scope_bindings(node.body, chunk):
                    found.append(node)
    return found


def _in_specs(call: ast.Call) -> ast.expr | None:
    assert isinstance(call.func, ast.Call)
    return next((keyword.value for keyword in call.func.keywords if keyword.arg == "in_specs"), None)


def _reads(analysis: Analysis, event: Event, kernel: ast.FunctionDef, name: str, new: str) -> Iterator[Edit]:
    """Each use of the name in the kernel as a read of the new Ref."""
    owners = {node.value: node for node in walk(kernel) if isinstance(node, (ast.Subscript, ast.Attribute))}
    for statement in kernel.body:
        for node in walk(statement):
            if isinstance(node, ast.Name) and node.id == name:
                owner = owners.get(node)
                direct = isinstance(owner, ast.Subscript) or (
                    isinstance(owner, ast.Attribute) and owner.attr in _OF_REFS
                )
                yield Edit(range_in(analysis, event.chunk, node), new if direct else f"{new}[...]")

"""A kernel that is an ordinary function elsewhere stays one: a new kernel calls it and stores what it returns."""

from __future__ import annotations

import ast

from pallas_lsp.findings import Applicability, Edit, Fix, Position, Range
from pallas_lsp.rewrite import fresh_name
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.jax_api import Outcome
from pallas_lsp.semantics.kernels import Way, leaves, parameter_names, reference_names
from pallas_lsp.semantics.values import Array, Constant, NamedTuple, Ref, Sequence, Value


def wrapping_fix(analysis: Analysis, ways: list[Way]) -> Fix | None:
    """The fix that leaves the function as it is, None where its launches or parameters are not plain enough."""
    way = ways[0]
    node = way.function.node
    names = [_launched_name(analysis, one) for one in ways]
    known = [place for place in names if place is not None]
    if not isinstance(node, ast.FunctionDef) or len(known) != len(names) or way.function.owner is not None:
        return None
    inputs = _input_names(way)
    outputs = _output_names(way)
    if inputs is None or not outputs or not _fits(way.returned.value, len(outputs)):
        return None
    source = analysis.module.parsed.source
    name = fresh_name(source, f"{node.name}_kernel")
    first = analysis.module.parsed.range_of(way.function.chunk, node)
    line = source.line(first.start.line)
    indentation = line[: len(line) - len(line.lstrip())]
    inner = source.line(analysis.module.parsed.range_of(way.function.chunk, node.body[0]).start.line)
    unit = inner[len(indentation) : len(inner) - len(inner.lstrip())] or "    "
    targets = ", ".join(f"{output}[...]" for output in outputs)
    given = ", ".join(f"{parameter}[...]" for parameter in inputs)
    text = [
        *([""] * (1 if indentation else 2)),
        f"{indentation}def {name}({', '.join((*inputs, *outputs))}):",
        f"{indentation}{unit}{targets} = {node.name}({given})",
    ]
    end = Position(first.end.line, len(source.line(first.end.line)))
    newline = source.newline()
    definition = Edit(Range(end, end), "".join(newline + part for part in text))
    edits = sorted({definition, *(Edit(place, name) for place in known)}, key=lambda edit: edit.range)
    return Fix(f"Launch a new kernel `{name}` that stores what `{node.name}` returns", tuple(edits), Applicability.SAFE)


def _launched_name(analysis: Analysis, way: Way) -> Range | None:
    """Where a launch names the function."""
    launch = way.launch
    call = launch.node
    if not isinstance(call, ast.Call) or launch.path != analysis.module.path or launch.outcome is not Outcome.RAISES:
        return None
    given = [keyword.value for keyword in call.keywords if keyword.arg == launch.row.function]
    kernel = call.args[0] if call.args else given[0] if given else None
    if not isinstance(kernel, ast.Name) or kernel.id != way.function.name:
        return None
    return analysis.module.parsed.range_of(launch.chunk, kernel)


def _input_names(way: Way) -> tuple[str, ...] | None:
    """The parameters for the inputs; None unless the function can be called with just these."""
    arguments = way.function.node.args
    required = len(arguments.posonlyargs) + len(arguments.args) - len(arguments.defaults)
    count = way.run.inputs
    plain = arguments.vararg is None and arguments.kwarg is None and not arguments.kwonlyargs
    if count is None or not plain or required > count or way.run.scratch:
        return None
    names = parameter_names(way.function)[:count]
    return names if len(names) == count else None


def _output_names(way: Way) -> tuple[str, ...]:
    """The names of the new kernel's output parameters; those of the function where it has them."""
    refs = [output for output in way.run.outputs or () if isinstance(output, Ref)]
    if len(refs) != len(list(leaves(way.run.outputs or ()))):
        return ()
    known = reference_names(way)
    plain = [f"o{number}_ref" for number in range(1, len(refs) + 1)] if len(refs) > 1 else ["o_ref"]
    return tuple(known.get(ref, name) for ref, name in zip(refs, plain, strict=True))


def _fits(value: Value, outputs: int) -> bool:
    match value:
        case Array() | Constant():
            return outputs == 1
        case Sequence(items=items) | NamedTuple(items=items):
            return outputs > 1 and len(items) == outputs and all(isinstance(item, Array) for item in items)
        case _:
            return False

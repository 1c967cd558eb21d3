"""A kernel that is an ordinary function elsewhere stays one: a new kernel calls it and stores what it returns."""

from __future__ import annotations

import ast
from dataclasses import replace

from pallas_lsp.findings import Applicability, Edit, Fix, Position, Range
from pallas_lsp.rewrite import Target, fresh_name
from pallas_lsp.rules.aims import aim_at
from pallas_lsp.rules.places import Impossible, place_of
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.jax_api import Outcome
from pallas_lsp.semantics.kernels import Verdict, Way, leaves, parameter_names, reference_names, verdict
from pallas_lsp.semantics.values import Ref


def wrapping_fix(analysis: Analysis, ways: list[Way]) -> Fix | None:
    """The fix that leaves the function as it is, None where its launches or parameters are not plain enough."""
    way = ways[0]
    node = way.function.node
    places = [_launched_name(analysis, one) for one in ways]
    known = [place for place in places if place is not None]
    if not isinstance(node, ast.FunctionDef) or len(known) != len(places) or way.function.owner is not None:
        return None
    inputs = _input_names(way)
    outputs = _output_names(way, inputs or ())
    if inputs is None or not outputs or verdict(way.run.invocation.value) is not Verdict.VALUE:
        return None
    call = f"{node.name}({', '.join(f'{name}[...]' if _is_array(node, name) else name for name in inputs)})"
    try:
        stored, doubts = _stored(analysis, way, dict(zip(leaves(way.run.outputs or ()), outputs, strict=True)), call)
    except Impossible:
        return None
    source = analysis.module.parsed.source
    name = fresh_name(source, f"{node.name}_kernel")
    first = analysis.module.parsed.range_of(way.function.chunk, node)
    line = source.line(first.start.line)
    indentation = line[: len(line) - len(line.lstrip())]
    inner = source.line(analysis.module.parsed.range_of(way.function.chunk, node.body[0]).start.line)
    unit = inner[len(indentation) : len(inner) - len(inner.lstrip())] or "    "
    text = [
        *([""] * (1 if indentation else 2)),
        f"{indentation}def {name}({', '.join((*inputs, *outputs))}):",
        f"{indentation}{unit}{stored}",
    ]
    end = Position(first.end.line, len(source.line(first.end.line)))
    newline = source.newline()
    definition = Edit(Range(end, end), "".join(newline + part for part in text))
    edits = sorted({definition, *(Edit(place, name) for place in known)}, key=lambda edit: edit.range)
    applicability = Applicability.UNSAFE if doubts else Applicability.SAFE
    title = f"Launch a new kernel `{name}` that stores what `{node.name}` returns"
    return Fix(title, tuple(edits), applicability, " ".join(doubts))


def _stored(analysis: Analysis, way: Way, names: dict[Ref, str], call: str) -> tuple[str, tuple[str, ...]]:
    """The statement that stores the result of a call, with what makes it doubtful.

    Raises:
      Impossible: the result does not fit the outputs.
    """
    place = replace(place_of(analysis, way), names=names)
    aim = aim_at(place, way.run.invocation.value, None, place.outputs, cast=False)
    targets = aim.targets if isinstance(aim.targets, tuple) else (aim.targets,)
    plain = [target for target in targets if isinstance(target, Target)]
    wrapped = any(target.before or target.after for target in plain)
    if aim.parts or len(plain) != len(targets) or (len(plain) > 1 and wrapped):
        raise Impossible("The parts of the result cannot be made to fit one by one.")
    left = ", ".join(target.text for target in plain)
    comma = "," if len(plain) == 1 and isinstance(aim.targets, tuple) else ""
    return f"{left}{comma} = {plain[0].before}{call}{plain[0].after}", aim.doubts


def _is_array(function: ast.FunctionDef, parameter: str) -> bool:
    """Whether a function takes a parameter for a value rather than a Ref: it is used as it is, never by an index."""
    loads = [node for node in ast.walk(function) if isinstance(node, ast.Name) and node.id == parameter]
    owned = {node.value for node in ast.walk(function) if isinstance(node, (ast.Subscript, ast.Attribute))}
    handed = {
        argument
        for node in ast.walk(function)
        if isinstance(node, ast.Call)
        for argument in (*node.args, *(keyword.value for keyword in node.keywords))
    }
    return bool(loads) and not any(load in owned or load in handed for load in loads)


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


def _output_names(way: Way, inputs: tuple[str, ...]) -> tuple[str, ...]:
    """The names of the new kernel's output parameters; those of the function where it has them."""
    refs = [output for output in way.run.outputs or () if isinstance(output, Ref)]
    if len(refs) != len(list(leaves(way.run.outputs or ()))):
        return ()
    known = reference_names(way)
    plain = [f"o{number}_ref" for number in range(1, len(refs) + 1)] if len(refs) > 1 else ["o_ref"]
    names = [known.get(ref, name) for ref, name in zip(refs, plain, strict=True)]
    return tuple(f"out_{name}" if name in inputs else name for name in names)

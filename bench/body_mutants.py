"""Recall of the rules about kernel bodies: makes one mistake in a real kernel, and asks whether its rule reports it.

    python bench/body_mutants.py FOLDER ...      all kernels below these folders

Each variant changes the first place of a kernel that it fits, so that JAX would stop there. The file is checked as a
whole, with its project around it. A mutant counts as reported when the rule has a finding that was not there before.
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

from mutants import SHOWN, Kernel, files_below, kernels_of  # type: ignore[import-not-found]

from pallas_lsp.check import check
from pallas_lsp.semantics.analysis import analyse
from pallas_lsp.semantics.project import Project

Place = tuple[ast.expr | ast.stmt, str]
"""A node and the text that takes its place."""


def _is_read(node: ast.AST, names: set[str]) -> bool:
    """Whether a node is `x_ref[...]` for one of some names."""
    return (
        isinstance(node, ast.Subscript)
        and isinstance(node.ctx, ast.Load)
        and isinstance(node.value, ast.Name)
        and node.value.id in names
        and isinstance(node.slice, ast.Constant)
        and node.slice.value is Ellipsis
    )


def _parameters(kernel: Kernel) -> set[str]:
    """The parameters of a kernel that are never bound again, without those that have a default."""
    arguments = kernel.node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    plain = positional[: len(positional) - len(arguments.defaults)]
    bound = {one.id for one in ast.walk(kernel.node) if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load)}
    return {parameter.arg for parameter in plain} - bound


def _whole_stores(kernel: Kernel) -> Iterator[tuple[ast.Assign, ast.Subscript]]:
    """The statements `o_ref[...] = value` of the output, at the level of the kernel itself."""
    for node in kernel.node.body:
        match node:
            case ast.Assign(
                targets=[ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=index)) as target]
            ):
                if name == kernel.output and index is Ellipsis:
                    yield node, target


def unread(kernel: Kernel) -> Iterator[Place]:
    """`x_ref[...] + y` becomes `x_ref + y`."""
    names = _parameters(kernel)
    for node in ast.walk(kernel.node):
        operands = [node.left, node.right] if isinstance(node, ast.BinOp) else []
        for operand in operands:
            if _is_read(operand, names):
                yield operand, operand.value.id  # type: ignore[attr-defined]


def rebound(kernel: Kernel) -> Iterator[Place]:
    """`o_ref[...] = value` becomes `o_ref = value`, where nothing else is stored into it."""
    uses = [node for node in ast.walk(kernel.node) if isinstance(node, ast.Name) and node.id == kernel.output]
    for _, target in _whole_stores(kernel):
        if len(uses) == 1:
            yield target, kernel.output


def stored(kernel: Kernel) -> Iterator[Place]:
    """`o_ref[...] = x_ref[...]` becomes `o_ref[...] = x_ref`."""
    for statement, _ in _whole_stores(kernel):
        if _is_read(statement.value, _parameters(kernel)):
            yield statement.value, statement.value.value.id  # type: ignore[attr-defined]


def number(kernel: Kernel) -> Iterator[Place]:
    """`o_ref[...] = value` becomes `o_ref[...] = 0.0`."""
    for statement, _ in _whole_stores(kernel):
        yield statement.value, "0.0"


def condition(kernel: Kernel) -> Iterator[Place]:
    """`value = x_ref[...]` becomes `value = x_ref[...] if x_ref[...] > 0 else 0`."""
    names = _parameters(kernel)
    for node in ast.walk(kernel.node):
        if isinstance(node, ast.Assign) and _is_read(node.value, names):
            text = ast.unparse(node.value)
            yield node.value, f"({text} if {text} > 0 else 0)"


def axis(kernel: Kernel) -> Iterator[Place]:
    """`pl.program_id(0)` becomes `pl.program_id(9)`."""
    for node in ast.walk(kernel.node):
        match node:
            case ast.Call(func=ast.Attribute(attr="program_id"), args=[ast.Constant(value=int()) as argument]):
                yield argument, "9"


def captured(kernel: Kernel) -> Iterator[Place]:
    """`x_ref[...]` becomes `(x_ref[...] + CAPTURED)`, an array of the module."""
    names = _parameters(kernel)
    for node in ast.walk(kernel.node):
        if isinstance(node, ast.Assign) and _is_read(node.value, names):
            yield node.value, f"({ast.unparse(node.value)} + CAPTURED)"


VARIANTS: dict[str, tuple[str, Callable[[Kernel], Iterator[Place]]]] = {
    "`x_ref + y`": ("PAL301", unread),
    "`o_ref = value`": ("PAL302", rebound),
    "`o_ref[...] = x_ref`": ("PAL304", stored),
    "`o_ref[...] = 0.0`": ("PAL306", number),
    "`if x_ref[...] > 0`": ("PAL401", condition),
    "`pl.program_id(9)`": ("PAL405", axis),
    "`+ CAPTURED`": ("PAL501", captured),
}

PRELUDE = "\nimport jax.numpy as _captured_jnp\nCAPTURED = _captured_jnp.ones(8)\n"
"""What stands at the end of each file: the array to capture."""


def replaced(text: str, place: Place) -> str:
    """The text with other text in the place of a node."""
    node, new = place
    assert node.end_lineno is not None and node.end_col_offset is not None
    lines = text.encode().splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    start, end = starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset
    data = text.encode()
    return (data[:start] + new.encode() + data[end:]).decode()


def measure(folder: Path, tallies: dict[str, Counter[str]], misses: list[str]) -> None:
    """Mutates each kernel below a folder."""
    for path in files_below(folder):
        text = path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n") + PRELUDE
        project = Project((folder,))
        try:
            kernels = kernels_of(analyse(project.update(str(path), text), project), text)
        except SyntaxError:
            continue
        before = Counter(finding.code for finding in check(text, path=str(path), project=project).findings)
        for kernel in kernels:
            for variant, (code, mutate) in VARIANTS.items():
                place = next(mutate(kernel), None)
                if place is None:
                    continue
                mutant = replaced(text, place)
                found = Counter(finding.code for finding in check(mutant, path=str(path), project=project).findings)
                tallies[variant]["mutants"] += 1
                if found[code] > before[code]:
                    tallies[variant]["reported"] += 1
                else:
                    misses.append(f"{variant}: {path}:{place[0].lineno} {kernel.name}")


def main() -> None:
    """Prints recall for each variant, and the first misses."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("folders", nargs="+", type=Path, help="where kernels are")
    tallies: dict[str, Counter[str]] = defaultdict(Counter)
    misses: list[str] = []
    for folder in parser.parse_args().folders:
        measure(folder.resolve(), tallies, misses)
    for variant, tally in tallies.items():
        recall = tally["reported"] / tally["mutants"]
        print(f"{VARIANTS[variant][0]} {variant:24}{tally['mutants']:6}{tally['reported']:6}{recall:9.1%}")
    print(f"missed: {len(misses)}")
    for line in misses[:SHOWN]:
        print(f"  {line}")
    sys.exit(not tallies)


if __name__ == "__main__":
    main()

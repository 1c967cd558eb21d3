"""What the rules about launches share: from a launch to findings, and where its parts stand."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from pallas_lsp.findings import Applicability, Edit, Finding, Fix, Range
from pallas_lsp.rules.base import Rule, range_in, related_kernel
from pallas_lsp.semantics import members
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.jax_api import Signature
from pallas_lsp.semantics.launches import Launch
from pallas_lsp.semantics.pieces import Piece
from pallas_lsp.semantics.values import Array, Constructed, Function, Mapping, NamedTuple, Sequence, Value
from pallas_lsp.syntax import Chunk

_SPELLINGS = {
    "outputs": ("out_shape", "out_type"),
    "scratch_shapes": ("scratch_shapes", "scratch_types"),
    "scratch": ("scratch_shapes", "scratch_types"),
    "kernel": ("kernel", "f"),
}
"""The keywords of parts that the launch has under another name."""

_POSITIONS = {"kernel": 0, "outputs": 1}
_SPEC_POSITIONS = ("grid", "in_specs", "out_specs", "scratch_shapes")


@dataclass(frozen=True, slots=True)
class Spot:
    """An expression, with the code that it stands in."""

    node: ast.AST
    chunk: Chunk
    path: str


FixMaker = Callable[[Analysis, Spot], tuple[Fix, ...]]
"""From a place to the ways to mend what is wrong there."""


def no_fixes(analysis: Analysis, spot: Spot) -> tuple[Fix, ...]:
    """Nothing can be done."""
    return ()


@dataclass(frozen=True, slots=True)
class Mistake:
    """What is wrong with a launch, and where.

    Args:
      spot: where.
      message: what.
      fixes: what can be done about it.
      kernel: the function that does not fit the launch, if it is about one.
    """

    spot: Spot
    message: str
    fixes: FixMaker = no_fixes
    kernel: Function | None = None


Judge = Callable[[Launch], Iterable[Mistake]]


def mistakes(rule: Rule, analysis: Analysis, judge: Judge) -> Iterator[Finding]:
    """The findings about the launches of `pallas_call` that stand in the analysed module, one for each place.

    `judge` looks at nothing but the launch.
    """
    seen: set[ast.AST] = set()
    for mistake in analysis.each(judge, partial(_mistakes_in, judge)):
        if mistake.spot.path == analysis.module.path and mistake.spot.node not in seen:
            seen.add(mistake.spot.node)
            yield _finding(rule, analysis, mistake)


def _mistakes_in(judge: Judge, piece: Piece) -> Iterator[Mistake]:
    for launch in piece.launches:
        if launch.row.signature is Signature.PALLAS_CALL and not launch.never_runs:
            yield from judge(launch)


def _finding(rule: Rule, analysis: Analysis, mistake: Mistake) -> Finding:
    spot = mistake.spot
    return Finding(
        rule.code,
        rule.name,
        mistake.message,
        rule.severity,
        range_in(analysis, spot.chunk, spot.node),
        () if mistake.kernel is None else (related_kernel(analysis, mistake.kernel),),
        make_fixes=lambda: mistake.fixes(analysis, spot),
    )


def head(launch: Launch) -> Spot:
    """The function that a launch calls, such as `pl.pallas_call`; the whole decorator where it is none."""
    node = launch.node.func if isinstance(launch.node, ast.Call) else launch.node
    return Spot(node, launch.chunk, launch.path)


def argument(launch: Launch, name: str) -> Spot | None:
    """The expression that is given as an argument of the launch, None where it is not in the call itself."""
    node = launch.node
    if not isinstance(node, ast.Call):
        return None
    found = _keyword(node, _SPELLINGS.get(name, (name,)))
    position = _POSITIONS.get(name)
    if found is None and position is not None and not any(isinstance(one, ast.Starred) for one in node.args):
        is_partial = ast.unparse(node.func).rpartition(".")[2] == "partial"
        position += is_partial
        found = node.args[position] if position < len(node.args) else None
    return None if found is None else Spot(found, launch.chunk, launch.path)


def part(launch: Launch, name: str) -> Spot:
    """Where the grid, the specs or the scratch shapes are given; the function that is called where that is unknown."""
    own = argument(launch, name)
    if own is not None:
        return own
    spec = launch.grid_spec
    if spec is not None and isinstance(spec.node, ast.Call) and spec.chunk is not None:
        found = _keyword(spec.node, (name,))
        position = _SPEC_POSITIONS.index(name) + spec.name.endswith("PrefetchScalarGridSpec")
        if found is None and position < len(spec.node.args):
            found = spec.node.args[position]
        if found is not None:
            return Spot(found, spec.chunk, spec.path)
    return head(launch)


def _keyword(node: ast.Call, names: tuple[str, ...]) -> ast.expr | None:
    return next((keyword.value for keyword in node.keywords if keyword.arg in names), None)


def spot_of(value: Constructed) -> Spot | None:
    """Where an object is made, such as a BlockSpec."""
    if value.node is None or value.chunk is None or not hasattr(value.node, "lineno"):
        return None
    return Spot(value.node, value.chunk, value.path)


def is_block_spec(value: Value | None) -> bool:
    """Whether a value is one BlockSpec."""
    return isinstance(value, Constructed) and value.name.endswith(".BlockSpec")


def is_shape(value: Value | None) -> bool:
    """Whether a value describes one array: a ShapeDtypeStruct, or an array."""
    return isinstance(value, Array) or (isinstance(value, Constructed) and value.name == "jax.ShapeDtypeStruct")


def count(value: Value | None) -> int | None:
    """The number of items of a tuple or list, None for anything else."""
    if not isinstance(value, (Sequence, NamedTuple)):
        return None
    items = members.items_of(value)
    return None if items is None else len(items)


def number_of_outputs(launch: Launch) -> int | None:
    """How many output parameters the kernel needs, None when unknown."""
    outputs = launch.named.get("outputs")
    if is_shape(outputs) or isinstance(outputs, Mapping):
        return 1
    return count(outputs)


def plural(number: int, noun: str) -> str:
    """`1 input`, `2 inputs`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def wrapped(title: str, before: str, after: str) -> FixMaker:
    """Text put around the expression; safe."""

    def make(analysis: Analysis, spot: Spot) -> tuple[Fix, ...]:
        place = range_in(analysis, spot.chunk, spot.node)
        start, end = Range(place.start, place.start), Range(place.end, place.end)
        return (Fix(title, (Edit(start, before), Edit(end, after)), Applicability.SAFE),)

    return make


def source_of(analysis: Analysis, spot: Spot, node: ast.AST) -> str:
    """The text of a node at a spot."""
    return analysis.module.parsed.source.slice(range_in(analysis, spot.chunk, node))

"""Kernels: the functions that launches call, and every value that comes out of them."""

from __future__ import annotations

import ast
import enum
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.frames import Invocation, Returned
from pallas_lsp.semantics.launches import OWN_STORES, KernelRun, Launch
from pallas_lsp.semantics.pieces import Piece
from pallas_lsp.semantics.values import (
    Constant,
    Function,
    Mapping,
    NamedTuple,
    Never,
    NotJax,
    Record,
    Ref,
    Role,
    Sequence,
    Value,
    alternatives,
    is_none,
    may_be_none,
)

MAX_FORWARDS = 8
"""Functions that hand a kernel's Refs on to the next before the search for the one that returns ends."""


class Verdict(enum.Enum):
    """What comes out of a function on one way, as far as it is proved."""

    NONE = "None"
    VALUE = "a value"
    UNKNOWN = "unknown"


def verdict(value: Value) -> Verdict:
    """Whether a value is None for certain, or for certain not."""
    if is_none(value):
        return Verdict.NONE
    return Verdict.UNKNOWN if may_be_none(value) or isinstance(value, Never) else Verdict.VALUE


@dataclass(frozen=True, slots=True)
class Way:
    """One way out of a kernel: a `return`, in the function that it stands in, for one launch.

    Args:
      run: the kernel under that launch.
      function: the function that the return is of: the kernel, or one that it hands its Refs to.
      returned: the return.
    """

    run: KernelRun
    function: Function
    returned: Returned

    @property
    def launch(self) -> Launch:
        """The launch that the value comes out at."""
        return self.run.launch

    @property
    def node(self) -> ast.Return | ast.Lambda:
        """The return statement or the lambda."""
        return self.returned.node


def ways_out(analysis: Analysis) -> dict[ast.AST, list[Way]]:
    """Every return of every kernel and body, with its ways for each launch; those of other modules are left out."""
    found: dict[ast.AST, list[Way]] = {}
    for way in analysis.each(_ways_in, _ways_in):
        if way.function.frame.path == analysis.module.path:
            found.setdefault(way.node, []).append(way)
    return {node: _best_known(ways) for node, ways in found.items()}


def _ways_in(piece: Piece) -> Iterator[Way]:
    for launch in piece.launches:
        for run in launch.runs:
            for function, returned in _own_returns(run, run.invocation, MAX_FORWARDS):
                yield Way(run, function, returned)


def _best_known(ways: list[Way]) -> list[Way]:
    """The ways without those of a launch whose application is not in view, where another way has it in view."""
    applied = {way.launch.node for way in ways if way.run.given is not None}
    return [way for way in ways if way.run.given is not None or way.launch.node not in applied]


def special_runs(analysis: Analysis) -> Iterator[tuple[KernelRun, Function, str]]:
    """The kernels that are generators or coroutines: their body never runs."""
    for run, function, kind in analysis.each(_special_runs_in, _special_runs_in):
        if function.frame.path == analysis.module.path:
            yield run, function, kind


def _special_runs_in(piece: Piece) -> Iterator[tuple[KernelRun, Function, str]]:
    for launch in piece.launches:
        for run in launch.runs:
            value, function = run.invocation.value, run.invocation.function
            if function is not None and isinstance(value, NotJax) and not run.invocation.returns:
                yield run, function, value.type_name


def _own_returns(run: KernelRun, invocation: Invocation, depth: int) -> Iterator[tuple[Function, Returned]]:
    """The returns of a call; where it only hands the Refs on, those of the function that gets them."""
    function = invocation.function
    if function is None:
        return
    for returned in invocation.returns:
        inner = returned.invoked
        if inner is not None and depth and _hands_on(run, function, inner):
            yield from _own_returns(run, inner, depth - 1)
        else:
            yield function, returned


def _hands_on(run: KernelRun, outer: Function, inner: Invocation) -> bool:
    """Whether the function of `inner` is the kernel proper: it is given the outputs, or was decorated."""
    function = inner.function
    if function is None or function.frame.path != outer.frame.path or not inner.returns:
        return False
    if outer.wraps == function:
        return True
    outputs = list(leaves(run.outputs or ()))
    given = set(leaves(inner.arguments.values()))
    return bool(outputs) and all(ref in given for ref in outputs)


def leaves(values: Iterable[Value]) -> Iterator[Ref]:
    """The Refs in parameters and their containers, in order."""
    for value in values:
        match value:
            case Ref():
                yield value
            case Sequence(items=items) | NamedTuple(items=items):
                yield from leaves(items)
            case Mapping(items=pairs) | Record(items=pairs):
                yield from leaves(item for _, item in pairs)


def number_of_kernels(analysis: Analysis) -> int:
    """How many functions of the module are launched as kernels; bodies inside of kernels are none."""
    found = frozenset().union(*map(_kernels_in, analysis.pieces))
    return len([path for path, _ in found if path == analysis.module.path])


def _kernels_in(piece: Piece) -> frozenset[tuple[str, ast.AST]]:
    """The functions that a piece launches as kernels, with the paths of their modules."""
    known = piece.memo.get(_kernels_in)
    if known is None:
        runs = (run for launch in piece.launches if launch.row.signature in OWN_STORES for run in launch.runs)
        functions = (run.function for run in runs if run.function is not None)
        known = piece.memo[_kernels_in] = frozenset((function.frame.path, function.node) for function in functions)
    assert isinstance(known, frozenset)
    return known


def kernel_name(run: KernelRun) -> str:
    """What JAX calls the kernel in its messages: `name=` if it was given, else the name of the function."""
    match run.launch.named.get("name"):
        case Constant(value=str() as name) if name:
            return "".join(character if character.isalnum() or character == "_" else "_" for character in name)
    return run.function.name if run.function is not None else "<unknown>"


def stores_nothing(way: Way) -> bool:
    """Whether no output has been stored to on this way, not even perhaps."""
    outputs = set(leaves(way.run.outputs or ()))
    if way.run.outputs is None:
        outputs = {ref for ref in leaves(way.run.invocation.arguments.values()) if ref.role is not Role.SCRATCH}
    return bool(outputs) and not outputs & way.returned.stores.keys()


def reference_names(way: Way) -> dict[Ref, str]:
    """Python text for each Ref that has a name where the return stands: `o_ref`, `refs[1]`, `out["y"]`."""
    parameters = parameter_names(way.function)
    order = sorted(way.returned.names.items(), key=lambda item: (item[0] not in parameters, item[0]))
    named: dict[Ref, str] = {}
    for name, value in order:
        for one in alternatives(value):
            if isinstance(one, Ref):
                named.setdefault(one, name)
    for name, value in order:
        for ref, text in _inside(value, name):
            named.setdefault(ref, text)
    return named


def parameter_names(function: Function) -> tuple[str, ...]:
    """The names of all parameters of a function, in order."""
    arguments = function.node.args
    parameters = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    parameters += [star for star in (arguments.vararg, arguments.kwarg) if star is not None]
    return tuple(parameter.arg for parameter in parameters)


def _inside(value: Value, text: str) -> Iterator[tuple[Ref, str]]:
    match value:
        case Ref():
            yield value, text
        case Sequence(items=items):
            for index, item in enumerate(items):
                yield from _inside(item, f"{text}[{index}]")
        case NamedTuple(cls=cls, items=items):
            for name, item in zip(cls.fields, items, strict=False):
                yield from _inside(item, f"{text}.{name}")
        case Record(items=fields):
            for name, item in fields:
                yield from _inside(item, f"{text}.{name}")
        case Mapping(items=pairs):
            for key, item in pairs:
                quoted = f'"{key}"' if isinstance(key, str) and key.isidentifier() else repr(key)
                yield from _inside(item, f"{text}[{quoted}]")

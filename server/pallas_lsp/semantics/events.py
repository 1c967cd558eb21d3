"""Events: what happens to Refs and traced values while a kernel is followed, for rules to judge.

The interpreter records what may be a mistake, and the state it happened in. It does not judge: that is for the rules,
each of which is a small function over the events of one kind.
"""

from __future__ import annotations

import ast
import enum
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

from pallas_lsp.semantics.values import Array, Ref, Unknown, Value, View, alternatives
from pallas_lsp.syntax import walk

if TYPE_CHECKING:
    from pallas_lsp.semantics.launches import Launch
    from pallas_lsp.semantics.pieces import Piece
    from pallas_lsp.syntax import Chunk


class Use(enum.Enum):
    """How code uses a Ref where an array is wanted."""

    OPERAND = "an operand"
    ARGUMENT = "an argument"
    MEMBER = "a member of arrays"
    ITERATION = "a loop"


@dataclass(frozen=True, slots=True)
class RefUsed:
    """A Ref, or a view of one, is used like the array that it holds.

    Args:
      ref: the Ref or view.
      use: how.
      name: the operator, the function or the member: `+`, `jax.numpy.exp`, `astype`.
    """

    ref: Ref | View
    use: Use
    name: str


@dataclass(frozen=True, slots=True)
class Stored:
    """A value is stored by an index, or by a method or function that does the same.

    Args:
      owner: what is stored to: a Ref, a view, an array, or a tree of Refs.
      index: between the brackets.
      value: what is stored.
      target: the expression with the brackets; None for a method or function.
      source: the expression of the value; None where the target gets a part of it.
    """

    owner: Value
    index: Value
    value: Value
    target: ast.Subscript | None
    source: ast.expr | None


@dataclass(frozen=True, slots=True)
class Rebound:
    """A name that held an output, into which nothing was stored, is given an array."""

    name: str
    ref: Ref
    value: Value


class Demand(enum.Enum):
    """What Python demands of a value that is not known yet."""

    TRUTH = "boolean conversion"
    NUMBER = "a Python number"
    INDEX = "a Python integer"


@dataclass(frozen=True, slots=True)
class Demanded:
    """Python needs to know a value that is only known when the kernel runs.

    Args:
      value: the value.
      demand: what is needed of it.
      by: the keyword, function or operator that needs it: `if`, `range`, `and`.
    """

    value: Array
    demand: Demand
    by: str


@dataclass(frozen=True, slots=True)
class Updated:
    """The result of `array.at[index].method(...)` is dropped, so that nothing is changed."""

    method: str


@dataclass(frozen=True, slots=True)
class Captured:
    """A kernel computes with an array that is not one of its inputs.

    Args:
      value: the array, or the parameter of a function around the kernel that is one.
    """

    value: Array | Unknown


class Misuse(enum.Enum):
    """How code uses `pl.when(condition)` or `pl.loop(lower, upper)` as what they are not."""

    TWO_ARGUMENTS = "it takes the condition only"
    CONTEXT = "it is no context manager"
    CONDITION = "it is no condition"
    ITERATED = "it is not iterable"
    DROPPED = "it is given no body"
    NO_CONDITION = "it is given the body as its condition"


@dataclass(frozen=True, slots=True)
class Misused:
    """What `pl.when` or `pl.loop` gives is not used as the decorator that it is.

    Args:
      name: `when` or `loop`.
      misuse: how it is used.
    """

    name: str
    misuse: Misuse


@dataclass(frozen=True, slots=True)
class CarryChanged:
    """The body of a loop returns something of another structure than the carry that it is given.

    Args:
      loop: the function that loops: `fori_loop`.
      carry: the tree of the carry, as JAX prints it.
      returned: the tree of what the body returns.
    """

    loop: str
    carry: str
    returned: str


@dataclass(frozen=True, slots=True)
class GridAsked:
    """`pl.program_id` or `pl.num_programs` is called.

    Args:
      name: which.
      axis: its argument.
    """

    name: str
    axis: Value


@dataclass(frozen=True, slots=True)
class CopyMade:
    """A descriptor of a copy is made, and dropped or given a name.

    Args:
      made_by: the function: `make_async_copy`.
      name: the name; empty when it is dropped.
      own: whether its semaphores are scratch of the kernel, which nothing else can wait for.
    """

    made_by: str
    name: str
    own: bool


What = RefUsed | Stored | Rebound | Demanded | Updated | Captured | Misused | CarryChanged | GridAsked | CopyMade
"""All kinds of events."""

Kind = TypeVar("Kind", bound=What)


@dataclass(frozen=True, slots=True, eq=False)
class Event:
    """Something that happens at a place of the code while functions are followed.

    Args:
      what: happens.
      node: the expression or statement that it happens to.
      chunk: where the node is.
      path: the module that the chunk is of.
      launches: whose kernels and bodies are running, outermost first; empty outside any.
      functions: that are running, outermost first: the kernel of the first launch, and what it calls.
      doubts: the conditions, or what else decides, that are not known on the way from the kernel's start to here.
    """

    what: What
    node: ast.AST
    chunk: Chunk
    path: str
    launches: tuple[Launch, ...]
    functions: tuple[ast.AST, ...]
    doubts: tuple[ast.AST, ...]


_TYPE_TESTS = frozenset({"isinstance", "issubclass", "hasattr", "getattr", "callable", "type"})
"""Functions that a program asks before it treats a value one way or the other."""


def as_ref(value: Value) -> Ref | View | None:
    """The value as a Ref or view, the first of several; None when it may be anything else."""
    found: list[Ref | View] = []
    for one in alternatives(value):
        if not isinstance(one, (Ref, View)):
            return None
        found.append(one)
    return next((ref for ref in found if not ref_of(ref).leaf), found[0]) if found else None


def ref_of(value: Ref | View) -> Ref:
    """The Ref that a view is of; a Ref itself."""
    return value.ref if isinstance(value, View) else value


def is_called_ref(node: ast.expr) -> bool:
    """Whether a program calls an expression a Ref, and one only: `x_ref`, `self.out_ref`, but not `x_refs`."""
    name = getattr(node, "id", getattr(node, "attr", ""))
    return isinstance(name, str) and name.lower().endswith("ref")


@lru_cache(maxsize=4096)
def names_in(node: ast.AST) -> frozenset[str]:
    """The plain names that occur in a node; kept, since it is asked for the same nodes at each edit."""
    return frozenset([part.id for part in walk(node) if isinstance(part, ast.Name)])


def is_proved(event: Event) -> bool:
    """Whether the event comes about, or only a condition without a bearing on it decides whether it does.

    A helper may be written for Refs and arrays, with a condition that tells them apart: there nothing is proved under
    an unknown condition. The parameters of the kernel itself are what the launch makes them, whatever the condition.
    """
    if not event.doubts:
        return True
    if not event.functions or not stands_in(event, event.functions[0]):
        return False
    names = names_in(event.node)
    return all(isinstance(doubt, ast.expr) and _has_no_bearing(doubt, names) for doubt in event.doubts)


def stands_in(event: Event, function: ast.AST) -> bool:
    """Whether the node of an event is part of a function's code; asked for many events of each function."""
    key = ("nodes", function)
    known = event.chunk.memo.get(key)
    if known is None:
        known = event.chunk.memo[key] = frozenset(walk(function))
    return event.node in known


def _has_no_bearing(condition: ast.expr, names: frozenset[str]) -> bool:
    if isinstance(condition, ast.Lambda):
        return False
    mentioned = names_in(condition)
    return mentioned.isdisjoint(names) and mentioned.isdisjoint(_TYPE_TESTS)


def happenings(piece: Piece, kind: type[Kind]) -> Iterator[tuple[Event, Kind]]:
    """The events of a kind in a piece of code.

    A kernel with a wrong number of parameters is not traced at all: what else is wrong in it JAX has not come to.
    """
    by_kind = piece.memo.get(happenings)
    if by_kind is None:
        by_kind = piece.memo[happenings] = {}
        for event in piece.events:
            if all(run.is_traced for launch in event.launches for run in launch.runs):
                by_kind.setdefault(type(event.what), []).append(event)
    for event in by_kind.get(kind, ()):
        yield event, event.what

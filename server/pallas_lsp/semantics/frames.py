"""Frames: where names are looked up while code is interpreted."""

from __future__ import annotations

import ast
import enum
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pallas_lsp.semantics.values import Function, Value

if TYPE_CHECKING:
    from pallas_lsp.syntax import Chunk


class Scope(enum.Enum):
    """The three kinds of scope that Python has."""

    MODULE = "module"
    CLASS = "class"
    FUNCTION = "function"


@dataclass(frozen=True, slots=True)
class Store:
    """What a kernel has stored into a Ref on the path so far.

    Args:
      certain: whether every way to this point stores it, and stores all of it.
      value: what was stored last.
      node: the statement or call that stored it.
    """

    certain: bool
    value: Value
    node: ast.AST


@dataclass(frozen=True, slots=True)
class Returned:
    """One way out of a function with a `return`, or out of a lambda.

    Args:
      node: the return statement, or the lambda.
      value: what it returns.
      names: the local names at that place.
      stores: what the Refs have been given until then.
      invoked: the call that the returned expression is, when it is a call of a function of the project.
    """

    node: ast.Return | ast.Lambda
    value: Value
    names: dict[str, Value]
    stores: dict[Value, Store]
    invoked: Invocation | None = None


@dataclass(frozen=True, slots=True)
class Invocation:
    """One call of a function of the project.

    Args:
      function: what was called, after partials and bound methods; None when it is not known.
      value: what the call returns.
      returns: its ways out with a `return`.
      arguments: what its parameters were bound to.
      falls_through: whether its end is reached without a `return`.
      frame: where it ran, as it stood at the end.
    """

    function: Function | None
    value: Value
    returns: tuple[Returned, ...] = ()
    arguments: dict[str, Value] = field(default_factory=dict)
    falls_through: bool = False
    frame: Frame | None = field(default=None, compare=False)


@dataclass(slots=True)
class Loop:
    """The states in which a loop was left by `break` or went on by `continue`."""

    left: list[dict[str, Value]] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Frame:
    """One activation of a function, a class body or a piece of a module.

    Args:
      scope: what kind of code it runs.
      path: the module of that code, whatever its version.
      chunk: the chunk of that code.
      parent: the frame in which the function was defined; None for a module.
      names: the names bound so far, on the path that is being followed.
      local: every name that the scope binds anywhere.
      redirected: names declared `global` or `nonlocal`.
    """

    scope: Scope
    path: str
    chunk: Chunk
    parent: Frame | None = None
    names: dict[str, Value] = field(default_factory=dict)
    local: frozenset[str] = frozenset()
    redirected: frozenset[str] = frozenset()
    returns: list[Returned] = field(default_factory=list)
    loops: list[Loop] = field(default_factory=list)

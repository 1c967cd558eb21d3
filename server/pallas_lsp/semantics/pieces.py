"""What was learned by following a piece of code, and for how long it holds."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pallas_lsp.semantics.events import Event
    from pallas_lsp.semantics.frames import Frame
    from pallas_lsp.semantics.launches import Launch


@dataclass(slots=True)
class Uses:
    """All that a piece of code looked up outside itself.

    Args:
      names: names of modules: the module's path, and the name.
      members: names of attributes of classes and their objects, whatever the class.
    """

    names: set[tuple[str, str]] = field(default_factory=set)
    members: set[str] = field(default_factory=set)

    def add(self, other: Uses) -> None:
        """Takes over what a piece has looked up that this one relies on."""
        self.names |= other.names
        self.members |= other.members


@dataclass(frozen=True, slots=True)
class Change:
    """What one edit may have given another meaning.

    Args:
      path: the module; empty for any.
      names: its module-level names; None for everything there is.
      members: names of attributes of classes.
    """

    path: str
    names: frozenset[str] | None
    members: frozenset[str] = frozenset()

    def affects(self, uses: Uses) -> bool:
        """Whether a piece with these uses may now give another result."""
        if self.names is None or not uses.members.isdisjoint(self.members):
            return True
        return any((self.path, name) in uses.names for name in self.names)


@dataclass(slots=True, eq=False)
class Piece:
    """The result of following a chunk at module level, or one of its functions.

    Args:
      frame: where a chunk ran.
      launches: what it launches.
      events: what happened to Refs and traced values.
      entered: the functions that were followed on the way.
      uses: what it relies on.
      revision: of the project, up to which it is known to hold.
      memo: for what is derived from this piece alone.
    """

    frame: Frame
    launches: tuple[Launch, ...]
    events: tuple[Event, ...]
    entered: frozenset[ast.AST]
    uses: Uses
    revision: int
    memo: dict[Any, Any] = field(default_factory=dict)

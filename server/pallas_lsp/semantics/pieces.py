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
      names: module-level names, each with the path of its module; None for everything there is.
      members: names of attributes of classes.
    """

    names: frozenset[tuple[str, str]] | None
    members: frozenset[str] = frozenset()

    def affects(self, uses: Uses) -> bool:
        """Whether a piece with these uses may now give another result."""
        return self.names is None or not (self.names.isdisjoint(uses.names) and self.members.isdisjoint(uses.members))


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
      answers: what questions about this piece alone have found in it, by question.
      silent: the last list of questions that found nothing at all in it.
    """

    frame: Frame
    launches: tuple[Launch, ...]
    events: tuple[Event, ...]
    entered: frozenset[ast.AST]
    uses: Uses
    revision: int
    memo: dict[Any, Any] = field(default_factory=dict)
    answers: dict[object, tuple[Any, ...]] = field(default_factory=dict)
    silent: object = None

"""The arguments of a call."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pallas_lsp.semantics.values import Value


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of a call; `complete` is False when a star hides how many there are or what they are called."""

    positional: tuple[Value, ...] = ()
    keywords: tuple[tuple[str, Value], ...] = ()
    complete: bool = True

    def get(self, name: str, position: int | None = None) -> Value | None:
        """The argument given as the keyword `name` or at `position`, None when it was not given."""
        for key, value in self.keywords:
            if key == name:
                return value
        if position is not None and position < len(self.positional):
            return self.positional[position]
        return None

    def values(self) -> Iterable[Value]:
        """All arguments."""
        yield from self.positional
        for _, value in self.keywords:
            yield value

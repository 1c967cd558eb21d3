"""Choices that a strategy makes while it writes a program."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

Draw = Callable[[st.SearchStrategy[Any]], Any]


@dataclass
class Chooser:
    """What makes choices; the first option is always the simplest.

    Args:
      draw: from hypothesis.
      fresh: numbers that were not used yet.
    """

    draw: Draw
    fresh: Iterator[int] = field(default_factory=itertools.count)

    def choose(self, *options: Any) -> Any:
        """One of the options."""
        return self.draw(st.sampled_from(options))

    def often(self) -> bool:
        return bool(self.choose(True, True, False))

    def rarely(self) -> bool:
        return bool(self.choose(False, False, False, True))

    def new(self, stem: str = "v") -> str:
        """A name that was not used yet."""
        return f"{stem}{next(self.fresh)}"

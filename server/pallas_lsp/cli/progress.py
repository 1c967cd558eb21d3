"""A bar on the terminal that shows how far a long run is."""

from __future__ import annotations

import os
from time import monotonic
from typing import TextIO

DELAY = 1.0
"""Seconds before a bar is shown: a run that is over sooner needs none."""

_PAUSE = 0.1
"""Seconds between two pictures of the bar."""

_WIDTH = 30
"""Characters of a full bar."""


class Progress:
    """One line on a stream, drawn over again and again, and taken away before anything else is written there.

    Args:
      stream: the terminal; None for a run that shows no bar.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream
        self._next = monotonic() + DELAY
        self._label = ""
        self._done = 0
        self._total: int | None = None
        self._shown = 0

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self.hide()

    def begin(self, label: str, total: int | None = None) -> None:
        """Begins a part of the run.

        Args:
          label: what is done in it.
          total: how many steps it has; None when that is not known.
        """
        self._label, self._done, self._total = label, 0, total

    def advance(self) -> None:
        """Takes note of a step that is done."""
        self.reach(self._done + 1)

    def reach(self, done: int) -> None:
        """Takes note of how many steps are done."""
        self._done = done
        if self._stream is None:
            return
        now = monotonic()
        if now >= self._next:
            self._next = now + _PAUSE
            self._draw(self._stream)

    def hide(self) -> None:
        """Takes the bar away, until the next step."""
        if self._stream is not None and self._shown:
            self._stream.write(f"\r{' ' * self._shown}\r")
            self._stream.flush()
            self._shown = 0

    def _draw(self, stream: TextIO) -> None:
        count = str(self._done)
        if self._total:
            full = min(_WIDTH, _WIDTH * self._done // self._total)
            count = f"[{'#' * full}{'-' * (_WIDTH - full)}] {self._done}/{self._total}"
        line = f"{self._label} {count}"[: _columns(stream) - 1]
        stream.write(f"\r{line:{self._shown}}")
        stream.flush()
        self._shown = max(len(line), self._shown)


def _columns(stream: TextIO) -> int:
    """How wide the terminal is."""
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except OSError:  # a terminal that does not say it
        return 80

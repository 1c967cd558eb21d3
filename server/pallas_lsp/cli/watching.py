"""Checks again whenever something that a check depends on has changed.

The files are looked at again and again instead of having the system tell of changes: that works the same on every
system, in containers and on network drives, where such messages get lost, and needs no other package. The pauses grow
with what a look costs, so that watching takes a small part of one processor, however many files there are.
"""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from pallas_lsp.cli.console import Console, Failure
from pallas_lsp.cli.files import Search
from pallas_lsp.cli.roots import project_roots
from pallas_lsp.config import ConfigError, Settings
from pallas_lsp.target import target_of

if TYPE_CHECKING:
    from pallas_lsp.semantics.workspace import ScannedFile

_SHORTEST_PAUSE = 0.3
"""Seconds between two looks at few files."""

_SHARE = 20
"""A look takes at most one part in so many of the time."""

_CLEARED = "\x1b[2J\x1b[3J\x1b[H"
"""Clears a terminal and what was scrolled out of it (ECMA-48, ED and CUP; 3J is xterm's)."""

Look = Callable[[], object]
"""Gives what a check depends on, to be compared with what an earlier look gave."""


def keep_checking(check: Callable[[], object], look: Look, console: Console, *, clears: bool) -> NoReturn:
    """Checks, and does so again after every change; an interrupt ends it.

    Args:
      check: makes a report.
      look: see `Look`.
      console: is told what goes wrong, and that the next change is waited for.
      clears: whether standard output is cleared before each report, if it is a terminal.

    Raises:
      KeyboardInterrupt: the user has seen enough.
    """
    while True:
        before = look()  # Taken first: a change in the midst of a check must not be lost.
        if clears and sys.stdout.isatty():
            sys.stdout.write(_CLEARED)
            sys.stdout.flush()
        try:
            check()
        except (ConfigError, Failure) as error:  # The next change may be what mends it.
            console.error(str(error))
        gc.collect()
        console.note("Watching for changes; Ctrl-C ends.")
        _wait_for_change(before, look)


def _wait_for_change(before: object, look: Look) -> None:
    while True:
        started = time.monotonic()
        if look() != before:
            return
        time.sleep(max(_SHORTEST_PAUSE, _SHARE * (time.monotonic() - started)))


class Watched:
    """What a check of some paths depends on.

    Args:
      paths: gives the files, folders and patterns that are checked.
      settings_for: the settings of a file, given its absolute path.
      others: the paths of other files that are read.
    """

    def __init__(
        self, paths: Callable[[], Iterable[str]], settings_for: Callable[[str], Settings], others: Iterable[str | Path]
    ) -> None:
        self._paths = paths
        self._settings_for = settings_for
        self._others = tuple(others)
        self._scanned: dict[str, dict[str, ScannedFile]] = {}

    def __call__(self) -> object:
        """What it is now: contents by time and size, settings and the JAX version as they come out."""
        from pallas_lsp.semantics.workspace import files_below

        others = [_stamp(path) for path in self._others]
        try:
            paths = list(self._paths())
            roots = [str(root) for root in project_roots(paths)]
            targets = list(self._targets(paths))
        except (ConfigError, Failure) as error:
            return str(error), others
        self._scanned = {root: files_below(root, self._scanned.get(root, {})) for root in roots}
        return targets, self._scanned, others

    def _targets(self, paths: Iterable[str]) -> Iterator[tuple[object, ...]]:
        versions: dict[tuple[str, str | None], str | None] = {}
        for target in Search(self._settings_for, _ignored, _ignored).targets(paths):
            place = os.path.dirname(target.path), target.settings.python  # noqa: PTH120
            if place not in versions:
                versions[place] = target_of(target.path, target.settings.python)
            yield target.path, _stamp(target.path), target.settings, versions[place]


def _stamp(path: str | Path) -> tuple[int, int] | None:
    """When a file was changed last, and its size; None when there is none."""
    try:
        status = os.stat(path)  # noqa: PTH116
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def _ignored(message: str) -> None:
    """Says nothing: the check does."""

"""Reads files, has them checked and mended, and writes them back."""

from __future__ import annotations

import enum
import functools
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from pallas_lsp.cli.console import Console
from pallas_lsp.cli.files import Search, Target, absolute, excluded_by_force, read, shown_path
from pallas_lsp.cli.results import Result, cell_of, row_and_column_of
from pallas_lsp.cli.roots import project_roots
from pallas_lsp.config import Settings
from pallas_lsp.text import UndecodableError

if TYPE_CHECKING:
    from pallas_lsp.cli.checking import Checking


class Mode(enum.Enum):
    """What happens to fixes."""

    REPORT = enum.auto()
    FIX = enum.auto()
    FIX_ONLY = enum.auto()
    DIFF = enum.auto()


def may_hold_kernel(data: bytes) -> bool:
    """Whether a file is worth decoding: the cheap question that most files of a project answer with no."""
    return b"pallas" in data


class Run:
    """One run of `check`.

    Args:
      console: is told what goes wrong, and gets diffs.
      mode: what happens to fixes.
      settings_for: the settings of a file, given its absolute path.
      failed: whether something could not be done; it has been told then.
    """

    def __init__(self, console: Console, mode: Mode, settings_for: Callable[[str], Settings]) -> None:
        self.console = console
        self.mode = mode
        self.settings_for = settings_for
        self.failed = False
        self._roots: tuple[Path, ...] = ()

    @functools.cached_property
    def _checking(self) -> Checking:
        # Most files of a project need no check, and the analysis takes as long to import as all else together.
        from pallas_lsp.cli.checking import Checking

        return Checking(self._roots)

    def show(self, paths: Iterable[str], *, settings: bool) -> None:
        """Writes which files would be checked, or the settings for the first of them."""
        for target in self._targets(paths):
            if settings:
                from pallas_lsp.cli.shown_settings import shown_settings

                self.console.write(shown_settings(target.path, target.settings))
                return
            self.console.write(f"{target.path}\n")

    def check_files(self, paths: Iterable[str]) -> list[Result]:
        """Checks files, in a stable order."""
        paths = list(paths)
        self._roots = project_roots(paths)
        results: dict[int, Result | None] = {}
        silent: list[tuple[int, Target]] = []
        for number, target in enumerate(self._targets(paths)):
            data = self._read(target)
            if data is not None and (target.named or may_hold_kernel(data)):
                results[number] = self._check_file(target, data)
            elif data is not None:
                silent.append((number, target))
        if results:
            # A file that does not mention Pallas may still hold a kernel that another one launches.
            for number, target in silent:
                if self._checking.is_reached(target.path) and (data := self._read(target)) is not None:
                    results[number] = self._check_file(target, data)
        elif not silent and not self.failed:
            self.console.warning("no Python files found under the given paths")
        found = [results[number] for number in sorted(results)]
        self.console.detail(f"{len(results) + len(silent)} files found, {len(found)} of them checked")
        return [result for result in found if result is not None]

    def check_stdin(self, filename: str | None) -> list[Result]:
        """Checks standard input; when it is to be mended, standard output gets the text, mended or not."""
        data = sys.stdin.buffer.read()
        path = absolute(filename or "_")
        self._roots = project_roots([path]) if filename else ()
        settings = self.settings_for(path)
        examined = None
        if filename is None or not excluded_by_force(path, settings):
            examined = self._examined(data, settings, path if filename else "-", filename or "-", named=True)
        if self.mode in (Mode.FIX, Mode.FIX_ONLY):
            sys.stdout.buffer.write(examined[1] if examined else data)
            sys.stdout.buffer.flush()
        if examined is None:
            return []
        self._show_diff(examined[0])
        return [examined[0]]

    def _targets(self, paths: Iterable[str]) -> Iterator[Target]:
        return Search(self.settings_for, self.console.warning, self._fail).targets(paths)

    def _read(self, target: Target) -> bytes | None:
        try:
            return read(target.path)
        except OSError as error:
            self._fail(f"{shown_path(target.path)}: cannot be read: {error.strerror}")
            return None

    def _check_file(self, target: Target, data: bytes) -> Result | None:
        """The result for a file with these contents, after mending; None when it cannot be analysed."""
        path = target.path
        shown = shown_path(path)
        examined = self._examined(data, target.settings, path, shown, named=target.named)
        if examined is None:
            return None
        result, after = examined
        if self.mode in (Mode.FIX, Mode.FIX_ONLY) and not self._written(path, shown, data, after):
            return self._checking.examine(data, target.settings, path=path, shown=shown)
        self._show_diff(result)
        return result

    def _examined(
        self, data: bytes, settings: Settings, path: str, shown: str, *, named: bool
    ) -> tuple[Result, bytes] | None:
        """The result for what is in a file, and what is in it after mending; None when it cannot be analysed."""
        self.console.detail(f"{shown}: checked with {settings.source or 'the default settings'}")
        try:
            result, after = self._handled(data, settings, path, shown)
        except UndecodableError as error:
            (self._fail if named else self.console.warning)(f"{shown}: not analysed: {error}")
            return None
        for notice in result.notices:
            cell = cell_of(notice)
            place = str(notice.range.start.line + 1) if cell is None else row_and_column_of(cell, notice.range.start)
            self.console.warning(f"{shown}:{place}: {notice.message}")
        return result, after

    def _handled(self, data: bytes, settings: Settings, path: str, shown: str) -> tuple[Result, bytes]:
        if self.mode is not Mode.REPORT:
            try:
                return self._checking.mend_and_examine(data, settings, path=path, shown=shown)
            except UnicodeEncodeError as error:
                self._fail(f"{shown}: not fixed: its encoding has no {error.object[error.start : error.end]!r}")
        return self._checking.examine(data, settings, path=path, shown=shown), data

    def _written(self, path: str, shown: str, before: bytes, after: bytes) -> bool:
        """Writes a mended file; whether that was done or not needed."""
        if before == after:
            return True
        from pallas_lsp.cli.writing import ChangedMeanwhile, replace_contents

        try:
            replace_contents(path, before, after)
        except ChangedMeanwhile:
            self._fail(f"{shown}: not fixed: another program has changed it meanwhile")
        except OSError as error:
            self._fail(f"{shown}: not fixed: {error.strerror}")
        else:
            return True
        return False

    def _show_diff(self, result: Result) -> None:
        if self.mode is Mode.DIFF and result.fixed:
            from pallas_lsp.cli.diffs import unified_diff

            for number, (before, after) in enumerate(zip(result.before, result.sources, strict=True), 1):
                name = f"{result.shown}:cell {number}" if result.is_notebook else result.shown
                self.console.write(unified_diff(before.text, after.text, name, self.console.palette))

    def _fail(self, message: str) -> None:
        self.failed = True
        self.console.error(message)

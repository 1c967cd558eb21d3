"""Reads files, has them checked and mended, and writes them back."""

from __future__ import annotations

import enum
import functools
import sys
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from pallas_lsp.cli.cache import FOLDER_NAME, Cache, Entry
from pallas_lsp.cli.console import Console
from pallas_lsp.cli.files import Search, Target, absolute, excluded_by_force, read, shown_path, size_of
from pallas_lsp.cli.records import Record, record_of, result_of
from pallas_lsp.cli.results import Result, cell_of, row_and_column_of
from pallas_lsp.cli.roots import project_roots
from pallas_lsp.config import Settings
from pallas_lsp.text import UndecodableError

if TYPE_CHECKING:
    from pallas_lsp.cli.checking import Checking
    from pallas_lsp.semantics.project import Project, Scan
    from pallas_lsp.semantics.workspace import ScannedFile


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
      caches: whether results of earlier runs are used, and kept for later ones.
      processes: how many processes check files at most; None for as many as pay.
      failed: whether something could not be done; it has been told then.
    """

    def __init__(
        self,
        console: Console,
        mode: Mode,
        settings_for: Callable[[str], Settings],
        *,
        caches: bool = False,
        processes: int | None = None,
    ) -> None:
        self.console = console
        self.mode = mode
        self.settings_for = settings_for
        self.failed = False
        self._caches = caches
        self._processes = processes
        self._roots: tuple[Path, ...] = ()
        self._scanned: Scan | None = None
        self._files: Mapping[str, ScannedFile] = {}
        self._connected: frozenset[str] = frozenset()
        self._is_unchanged = False

    @functools.cached_property
    def _checking(self) -> Checking:
        # Most files of a project need no check, and the analysis takes as long to import as all else together.
        from pallas_lsp.cli.checking import Checking

        return Checking(self._project.emptied())

    @functools.cached_property
    def _project(self) -> Project:
        from pallas_lsp.semantics.project import Project

        project = Project(self._roots)
        project.index(self._scanned)
        return project

    def show(self, paths: Iterable[str], *, settings: bool) -> None:
        """Writes which files would be checked, or the settings for the first of them."""
        for target in self._targets(paths):
            if settings:
                from pallas_lsp.cli.shown_settings import shown_settings

                self.console.write(shown_settings(target.path, target.settings))
                return
            self.console.write(f"{target.path}\n")

    def check_files(self, paths: Iterable[str], listed: Container[str] = ()) -> list[Result]:
        """Checks files, in a stable order; of the `listed` ones among the paths those that may hold kernels."""
        paths = list(paths)
        self._roots = project_roots(paths)
        progress = self.console.progress
        progress.begin("Looking for files:")
        targets = list(self._targets(paths, listed))
        if not targets and not self.failed:
            self.console.warning("no Python files found under the given paths")
        cache = Cache(self._roots[0] / FOLDER_NAME if self._roots and self._caches else None, self._roots)
        self._look_around(cache)
        results: dict[int, Result | None] = {}
        left: list[int] = []
        progress.begin("Comparing with the last run:", len(targets))
        for number, target in enumerate(targets):
            progress.advance()
            entry = cache.entry(target.path)
            if entry is not None and self._holds(cache, entry, target) and self._is_final(entry.record):
                results[number] = self._told(target, entry.record)
            elif self._is_worth_a_check(target):
                left.append(number)
        progress.begin("Checking:", len(left))
        self._check_side_by_side({number: targets[number] for number in left}, cache, results)
        for number in left:
            if number not in results:
                results[number] = self._check_alone(targets[number], cache)
                progress.advance()
        cache.save()
        found = [results[number] for number in sorted(results)]
        self.console.detail(f"{len(targets)} files found, {len(found)} of them checked")
        return [result for result in found if result is not None]

    def _look_around(self, cache: Cache) -> None:
        """Looks which files of the program mention Pallas, and which others are connected to these."""
        from pallas_lsp.semantics.workspace import files_below

        known = cache.scan()
        progress = self.console.progress
        progress.begin("Reading:")
        self._scanned = {
            str(root): files_below(str(root), known.get(str(root), {}), progress.reach) for root in self._roots
        }
        self._files = {path: file for files in self._scanned.values() for path, file in files.items()}
        self._is_unchanged = cache.keep_scan(self._scanned)
        if not self._is_unchanged and any(file.mentions_pallas for file in self._files.values()):
            hinting = (path for path, file in self._files.items() if file.hints_at_refs and not file.mentions_pallas)
            cache.keep_connected(path for path in hinting if self._project.is_connected(path))
        self._connected = cache.connected

    def _holds(self, cache: Cache, entry: Entry, target: Target) -> bool:
        """Whether an earlier result is still right."""
        importers = entry.importers if self._is_unchanged else tuple(self._project.importing(target.path)[0])
        return importers == entry.importers and cache.holds(entry, target.path, target.settings)

    def _is_final(self, record: Record | None) -> bool:
        """Whether a record is all there is to do for a file: mending takes more than knowing what was found."""
        return self.mode is Mode.REPORT or not record or not record[0]

    def _is_worth_a_check(self, target: Target) -> bool:
        """Whether a file may hold kernels: it mentions Pallas, or hints at Refs and is connected to one that does."""
        if target.named:
            return True
        file = self._files.get(target.path)
        if file is None:
            data = self._read(target.path)
            return data is not None and may_hold_kernel(data)
        return file.mentions_pallas or target.path in self._connected

    def _check_side_by_side(
        self, targets: Mapping[int, Target], cache: Cache, results: dict[int, Result | None]
    ) -> None:
        """Checks files in several processes if that is faster; leaves those that need more than a look."""
        if len(targets) < 2 or self._processes == 1:
            return
        from pallas_lsp.cli.pool import MAX_PROCESSES, Job, outcomes, process_count

        sizes = {number: size_of(target.path) for number, target in targets.items()}
        jobs = [Job(number, target.path, target.settings, sizes[number]) for number, target in targets.items()]
        processes = process_count(jobs, self._processes or MAX_PROCESSES)
        if processes < 2:
            return
        for number, record, consulted in outcomes(jobs, self._project.emptied(), processes):
            target = targets[number]
            self._keep(cache, target, consulted, record)
            if self._is_final(record):
                self.console.progress.advance()
                results[number] = self._told(target, record)

    def _check_alone(self, target: Target, cache: Cache) -> Result | None:
        data = self._read(target.path)
        result = None if data is None else self._check_file(target, data)
        if result is not None and self.mode is Mode.REPORT:
            self._keep(cache, target, self._checking.consulted, record_of(result))
        # The texts of thousands of files, of which there is nothing to say, would be kept to the end.
        return result if result is None or result.violations or result.fixed else result._replace(before=(), sources=())

    def _keep(self, cache: Cache, target: Target, consulted: Iterable[str], record: Record | None) -> None:
        if self._caches:
            importers, _ = self._project.importing(target.path)
            cache.keep(target.path, target.settings, importers, consulted, record)

    def _told(self, target: Target, record: Record | None) -> Result | None:
        """The result that a record is of, after saying what was not analysed."""
        if record is None:
            return result_of(record, target.path, shown_path(target.path), ())
        data = self._read(target.path)
        if data is None:
            return None
        from pallas_lsp.cli.contents import contents_of

        sources = contents_of(data, target.path).sources
        result = result_of(record, target.path, shown_path(target.path), sources)
        self._say_notices(result)
        return result

    def add_ignores(self, results: Iterable[Result]) -> tuple[int, int]:
        """Puts comments into files that hide their findings; how many are hidden now, and how many are not."""
        hidden = left = 0
        for result in results:
            if not result.violations or (data := self._read(result.path)) is None:
                continue
            from pallas_lsp.cli.contents import contents_of
            from pallas_lsp.cli.ignoring import with_ignores

            contents = contents_of(data, result.path)
            after, count = with_ignores(contents, [violation.finding for violation in result.violations])
            if self._written(result.path, result.shown, data, after.encoded()):
                hidden += count
                left += len(result.violations) - count
        return hidden, left

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

    def _targets(self, paths: Iterable[str], listed: Container[str] = ()) -> Iterator[Target]:
        for target in Search(self.settings_for, self.console.warning, self._fail).targets(paths, listed):
            self.console.progress.advance()
            yield target

    def _read(self, path: str) -> bytes | None:
        try:
            return read(path)
        except OSError as error:
            self._fail(f"{shown_path(path)}: cannot be read: {error.strerror}")
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
        self._say_notices(result)
        return result, after

    def _say_notices(self, result: Result) -> None:
        for notice in result.notices:
            cell = cell_of(notice)
            place = str(notice.range.start.line + 1) if cell is None else row_and_column_of(cell, notice.range.start)
            self.console.warning(f"{result.shown}:{place}: {notice.message}")

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

"""From what is in a file to what is said about it: pure, wherever that was read from."""

from __future__ import annotations

import gc
from dataclasses import replace

from pallas_lsp.cli.contents import Applied, Contents, contents_of
from pallas_lsp.cli.results import Result, Violation
from pallas_lsp.config import Settings
from pallas_lsp.findings import Applicability, Finding
from pallas_lsp.fixing import preferred
from pallas_lsp.semantics.project import Project

MAX_MODULES = 400
"""Modules that are kept in memory; beyond that all are forgotten and read again where they are needed."""


class Checking:
    """Checks one file after another; what they import is read once.

    Args:
      project: the program, whose files have been looked through.
      consulted: the files that were looked into for the last result.
    """

    def __init__(self, project: Project) -> None:
        self.consulted: set[str] = set()
        self._project = project

    def examine(self, data: bytes, settings: Settings, *, path: str, shown: str) -> Result:
        """Checks what is in the file that is `path` for programs, and `shown` for people.

        Raises:
          UndecodableError: it is not text, or not a notebook of Python code.
        """
        contents = contents_of(data, path)
        return self._examined(contents, contents, (), settings, path, shown)

    def mend_and_examine(self, data: bytes, settings: Settings, *, path: str, shown: str) -> tuple[Result, bytes]:
        """Mends what may be mended, and checks what came out; the result, and what should be in the file.

        Raises:
          UndecodableError: as for `examine`.
          UnicodeEncodeError: the encoding of the file lacks a character of a fix.
        """
        contents = contents_of(data, path)
        mended, applied = contents.mended(settings, path, self._project)
        result = self._examined(contents, mended, applied, settings, path, shown)
        return result, mended.encoded() if applied else data

    def _examined(
        self, before: Contents, after: Contents, applied: Applied, settings: Settings, path: str, shown: str
    ) -> Result:
        self.consulted = self._project.consulted = set()
        report = after.report(settings, path, self._project)
        for crash in report.crashes:
            raise crash.error  # What the others found is not enough for who relies on the exit code.
        violations = tuple(_violation(finding, settings.unsafe_fixes) for finding in report.findings)
        self._project.close(path)
        if self._project.module_count > MAX_MODULES:
            self._project = self._project.emptied()
            gc.collect()  # Modules and their project hold each other, and the command line has no collector at work.
        notices = (*after.notices, *report.notices)
        fixed = tuple((_lightened(finding), fix) for finding, fix in applied)
        return Result(path, shown, after.is_notebook, before.sources, after.sources, violations, notices, fixed)


def _violation(finding: Finding, unsafe: bool) -> Violation:
    fix = preferred(finding, unsafe)
    if fix is not None:
        return Violation(_lightened(finding), fix, fixable=True, obstacle="")
    hidden = preferred(finding, unsafe=True)
    obstacles = () if hidden else (fix.reason for fix in finding.fixes() if fix.applicability is Applicability.NONE)
    obstacle = next(iter(obstacles), "")
    return Violation(_lightened(finding), hidden, fixable=False, obstacle=obstacle)


def _lightened(finding: Finding) -> Finding:
    """The finding without the way to its fixes, which would keep the whole program in memory until the end."""
    return replace(finding, make_fixes=tuple)

"""What `pytest --pallas-lsp` does: it collects the imported files, checks them at the end, and fails on findings."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pallas_lsp.check import check
from pallas_lsp.config import ConfigError, settings_for
from pallas_lsp.findings import Finding
from pallas_lsp.semantics.project import Project
from pallas_lsp.semantics.workspace import SKIPPED_FOLDERS, files_among
from pallas_lsp.text import UndecodableError, decode

_KEY = "pallas_lsp_files"
"""Where a worker of pytest-xdist leaves the names of the files that its tests have imported."""


class _Checked(NamedTuple):
    """What was checked: the findings with their files, and how many files hold kernels."""

    findings: tuple[tuple[str, Finding], ...]
    files: int


class KernelReport:
    """The plugin of one run."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._files: set[str] = set()
        self._checked: _Checked | None = None
        self._problem = ""

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """A worker of pytest-xdist has ended: takes over what it has imported."""
        self._files.update(getattr(node, "workeroutput", {}).get(_KEY, ()))

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """After the last test: checks, unless this is a worker; findings make the run fail."""
        self._files.update(imported_files(self._config.rootpath))
        output = getattr(self._config, "workeroutput", None)
        if output is not None:
            output[_KEY] = sorted(self._files)
            return
        try:
            self._checked = check_files(self._files)
        except ConfigError as error:
            self._problem = str(error)
        failed = bool(self._problem) or (self._checked is not None and bool(self._checked.findings))
        if failed and session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Writes the section."""
        terminalreporter.section("pallas-lsp")
        if self._checked is None:
            terminalreporter.line(f"pallas-lsp: error: {self._problem}")
            return
        for path, finding in self._checked.findings:
            start = finding.range.start
            place = f"{_shown(path, self._config.rootpath)}:{start.line + 1}:{start.character + 1}"
            terminalreporter.line(f"{place}: {finding.code} {finding.message}")
        terminalreporter.line(_closing(self._checked))


def imported_files(root: Path) -> Iterator[str]:
    """The Python files below a folder that are imported, without those of installed packages."""
    for module in tuple(sys.modules.values()):
        name = getattr(module, "__file__", None)
        if not isinstance(name, str) or not name.endswith(".py"):
            continue
        path = Path(name).absolute()
        if path.is_relative_to(root) and SKIPPED_FOLDERS.isdisjoint(path.relative_to(root).parts):
            yield str(path)


def check_files(paths: Iterable[str]) -> _Checked:
    """Checks files, as one project: a kernel of one may be launched by another.

    Raises:
      ConfigError: the settings of a file cannot be used.
    """
    scanned = files_among(sorted(paths))
    project = Project()
    project.index({"": scanned})
    findings: list[tuple[str, Finding]] = []
    files = 0
    for path in project.candidates:
        if path not in scanned:
            continue
        try:
            text = decode(Path(path).read_bytes()).text
        except (OSError, UndecodableError):
            continue
        report = check(text, settings_for(path), path=path, project=project)
        files += bool(report.kernels)
        findings += [(path, finding) for finding in report.findings]
    return _Checked(tuple(findings), files)


def _shown(path: str, root: Path) -> str:
    return str(Path(path).relative_to(root)) if Path(path).is_relative_to(root) else path


def _closing(checked: _Checked) -> str:
    found = len(checked.findings)
    kernels = _counted(checked.files, "file") + " with kernels"
    if not found:
        return f"no findings in {kernels}"
    return f"{_counted(found, 'finding')} in {kernels}; `pallas-lsp check --fix` mends what is safe"


def _counted(number: int, noun: str) -> str:
    return f"1 {noun}" if number == 1 else f"{number} {noun}s"

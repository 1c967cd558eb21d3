"""Checks what is open, in the analysis thread, and keeps the newest result of each unit."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from traceback import walk_tb
from typing import TYPE_CHECKING

from pallas_lsp import __version__
from pallas_lsp.check import check
from pallas_lsp.config import DEFAULT, Settings
from pallas_lsp.findings import Crash, Fix, Range, Report
from pallas_lsp.fixing import fix_all
from pallas_lsp.lsp import uris
from pallas_lsp.lsp.configuration import Configuration
from pallas_lsp.lsp.documents import Document, Documents, Part, Unit
from pallas_lsp.lsp.edits import EditsByPart, minimal_edits
from pallas_lsp.lsp.worker import Worker
from pallas_lsp.notebooks.checking import check_joined, fix_joined
from pallas_lsp.outline import Outline, outline
from pallas_lsp.semantics.project import Project
from pallas_lsp.text import SourceText
from pallas_lsp.verify.planning import Plan
from pallas_lsp.verify.running import Problem, Verification
from pallas_lsp.verify.verifying import planned

if TYPE_CHECKING:
    from pallas_lsp.conversions import Conversion

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of a check.

    Args:
      unit: what was checked.
      settings: that were used.
      report: whose positions are lines of the unit.
      others: URI and text of the other files that the report points into, by path.
      is_excluded: whether the settings say not to check it; the report is empty then.
      problems: what came of running its kernels, if that was done with this very text.
    """

    unit: Unit
    settings: Settings
    report: Report
    others: Mapping[str, tuple[str, SourceText]]
    is_excluded: bool = False
    problems: tuple[Problem, ...] = ()
    _fixes: dict[int, tuple[Fix, ...]] = field(default_factory=dict)
    _outlines: list[Outline] = field(default_factory=list)

    def fixes(self, number: int) -> tuple[Fix, ...]:
        """The fixes of a finding, by its number in the report; for the analysis thread."""
        if number not in self._fixes:
            try:
                self._fixes[number] = self.report.findings[number].fixes()
            except Exception:
                logger.exception("No fixes for %s of %s", self.report.findings[number].code, self.unit.uri)
                self._fixes[number] = ()
        return self._fixes[number]

    def outline(self, project: Project) -> Outline:
        """The kernels and launches of the unit, made when somebody asks; for the analysis thread."""
        if not self._outlines:
            try:
                path = _path(self.unit)
                self._outlines.append(outline(self.unit.text.text, self.settings, path=path, project=project))
            except Exception:
                logger.exception("No outline of %s", self.unit.uri)
                self._outlines.append(Outline())
        return self._outlines[0]


@dataclass(frozen=True, slots=True)
class _Attempt:
    unit: Unit
    epoch: int
    task: asyncio.Task[Checked | None]


class Analysis:
    """Checks and mends units. `check`, `fixes` and `fix_all` of the layers below run in `worker`, nowhere else.

    `epoch` grows with everything that may change a result.
    """

    def __init__(self, documents: Documents, configuration: Configuration) -> None:
        self.worker = Worker()
        self._scanner = Worker()
        self._documents = documents
        self._configuration = configuration
        self._attempts: dict[str, _Attempt] = {}
        self.epoch = 0
        self._changed = asyncio.Event()
        self._crashed: set[tuple[str, str, int]] = set()
        self._problems: dict[str, tuple[int, tuple[Problem, ...]]] = {}
        self._file_outlines: dict[str, tuple[tuple[object, int], Outline]] = {}
        self.use_folders()

    def use_folders(self) -> None:
        """Looks for modules in the workspace's folders as they are now."""
        paths = map(uris.to_path, self._configuration.folders)
        self._project = Project(tuple(Path(path) for path in paths if path))
        self.invalidate()

    async def index(self, observe: Callable[[str], object]) -> bool:
        """Looks for the files that launch kernels of others, beside all else; whether that may change a result.

        Args:
          observe: is told in words how far the search is, from another thread; what it raises ends the search.
        """
        project = self._project
        scanned = await self._scanner.run(lambda: project.scan(lambda count: observe(f"{count} files")))
        changed = await self.worker.run(lambda: project.index(scanned))
        if changed:
            self.invalidate()
        return changed

    def invalidate(self) -> None:
        """Has every unit checked anew when it is next asked for: a text, a file or a setting has changed."""
        self.epoch += 1
        self._changed.set()
        self._changed = asyncio.Event()

    async def until_changed_since(self, epoch: int) -> None:
        """Waits until a result may differ from what it was at an epoch."""
        if self.epoch == epoch:
            await self._changed.wait()

    def others_of(self, unit: Unit) -> frozenset[str]:
        """The files that the last result for a unit points into; of its check there may be none yet."""
        task = self._attempts[unit.uri].task if unit.uri in self._attempts else None
        checked = task.result() if task is not None and task.done() and not task.cancelled() else None
        return frozenset(checked.others) if checked is not None else frozenset()

    def forget(self, unit: Unit) -> None:
        """Drops what is known of a unit that was closed."""
        self._attempts.pop(unit.uri, None)
        self._problems.pop(unit.uri, None)
        project = self._project
        self.worker.post(lambda: project.close(_path(unit)))

    async def candidates(self) -> list[str]:
        """The files of the workspace that may hold kernels, as far as they are known."""
        project = self._project

        def look() -> list[str]:
            project.refresh()
            return project.candidates

        return await self.worker.run(look)

    async def check_file(self, path: str) -> Checked | None:
        """Checks a file that is not open; None if it cannot be read, or is excluded."""
        return await self.worker.run(lambda: self._check_file_now(path))

    def _check_file_now(self, path: str) -> Checked | None:
        module = self._project.module(path)
        if module is None or any(unit.path == path for unit in self._documents):
            return None
        document = Document(uris.from_path(path), 0, module.parsed.source)
        unit = Unit(document.uri, path, 0, document.text, (Part(document, 0),), is_notebook=False, joined=None)
        checked = self._checked(unit)
        self._project.close(path)
        return None if checked.is_excluded or not checked.settings.include.matches(path) else checked

    async def check(self, unit: Unit) -> Checked | None:
        """Checks a unit, or gives the result there is; None if the unit changes before its check begins."""
        attempt = self._attempts.get(unit.uri)
        if attempt is None or attempt.unit is not unit or attempt.epoch != self.epoch:
            attempt = _Attempt(unit, self.epoch, asyncio.create_task(self._check(unit)))
            self._attempts[unit.uri] = attempt
        # Others may wait for the same result: one who no longer wants it must not cancel it.
        return await asyncio.shield(attempt.task)

    async def outline(self, unit: Unit) -> Outline:
        """The kernels and launches of a unit; none when it is excluded, or changes before they are found."""
        checked = await self.check(unit)
        if checked is None or checked.is_excluded:
            return Outline()
        project = self._project
        return await self.worker.run(
            lambda: checked.outline(project) if self._documents.is_current(unit) else Outline()
        )

    def conversions(self, checked: Checked, place: Range) -> tuple[Conversion, ...]:
        """The conversions at a place of a unit; for the analysis thread."""
        from pallas_lsp.conversions import conversions  # late, as the planners of fixes: see `rehearsal`

        unit = checked.unit
        if checked.is_excluded or not self._documents.is_current(unit):
            return ()
        try:
            return conversions(unit.text.text, place, checked.settings, path=_path(unit), project=self._project)
        except Exception:
            logger.exception("No conversions in %s", unit.uri)
            return ()

    async def outline_of_file(self, path: str) -> tuple[str, SourceText, Outline]:
        """The URI, text, kernels and launches of a file of the workspace, open or not."""
        return await self.worker.run(lambda: self._outline_of_file_now(path))

    def _outline_of_file_now(self, path: str) -> tuple[str, SourceText, Outline]:
        uri, text = self.text_of(path)
        is_open = any(unit.path == path for unit in self._documents)
        key = (self._project.module(path), self._project.revision)
        known = self._file_outlines.get(path)
        if known is None or known[0] != key:
            try:
                found = outline(text.text, path=path, project=self._project)
            except Exception:
                logger.exception("No outline of %s", path)
                found = Outline()
            known = self._file_outlines[path] = ((key[0], self._project.revision), found)
            if not is_open:
                self._project.close(path)
        return uri, text, known[1]

    async def plan(self, checked: Checked, kernel: str | None) -> Plan | Verification:
        """What to run to have the kernels of a unit run.

        Raises:
          UnknownKernel: there is none of that name.
        """
        unit, project = checked.unit, self._project
        return await self.worker.run(lambda: planned(unit.text.text, unit.path, checked.settings, project, kernel))

    def keep_problems(self, unit: Unit, problems: tuple[Problem, ...]) -> None:
        """Has what came of running the kernels of a unit shown with its findings, until it changes."""
        self._problems[unit.uri] = (unit.revision, problems)
        self.invalidate()

    async def newest(self, uri: str) -> Checked | None:
        """The result for the text as it is when the result is there; None if the document is not open or not Python."""
        while (unit := self._documents.unit(uri)) is not None:
            checked = await self.check(unit)
            if checked is not None and self._documents.is_current(unit):
                return checked
        return None

    async def fix_all(
        self, checked: Checked, codes: frozenset[str] | None = None, group: str | None = None
    ) -> EditsByPart:
        """Computes `fix_all_edits` in the worker."""
        return await self.worker.run(lambda: self.fix_all_edits(checked, codes, group))

    def fix_all_edits(
        self, checked: Checked, codes: frozenset[str] | None = None, group: str | None = None
    ) -> EditsByPart:
        """The edits that mend all that can be mended without a look, or with one if the settings say so.

        Args:
          checked: the unit, as it was checked.
          codes: only findings of these rules; None for all rules.
          group: only findings of this kernel; None for all.
        """
        unit = checked.unit
        mended = self._mended(unit, checked.settings, codes, group)
        # The project has the mended text now; for the other modules the editor's is what counts.
        self._project.update(_path(unit), unit.text.text)
        edits = {number: minimal_edits(unit.parts[number].document.text, text) for number, text in mended.items()}
        return {number: edits_of_part for number, edits_of_part in edits.items() if edits_of_part}

    def _mended(
        self, unit: Unit, settings: Settings, codes: frozenset[str] | None, group: str | None
    ) -> dict[int, str]:
        """The texts of the parts after mending; of cells made of cells, since the unit's text hides their magics."""
        path, project, unsafe = _path(unit), self._project, settings.unsafe_fixes
        if unit.joined is None:
            text = unit.text.text
            return {
                0: fix_all(text, settings, path=path, project=project, unsafe=unsafe, codes=codes, group=group).text
            }
        fixed = fix_joined(unit.joined, settings, path=path, project=project, unsafe=unsafe, codes=codes, group=group)
        return {number: text for number, text in enumerate(fixed.cells) if text is not None}

    async def _check(self, unit: Unit) -> Checked | None:
        await self._configuration.told()
        return await self.worker.run(lambda: self._check_now(unit))

    def _check_now(self, unit: Unit) -> Checked | None:
        if not self._documents.is_current(unit):
            return None
        self._project.refresh()
        return self._checked(unit)

    def _checked(self, unit: Unit) -> Checked:
        try:
            settings = self._configuration.settings(unit)
            if self._configuration.excludes(unit.path, settings):
                return Checked(unit, settings, Report(), {}, is_excluded=True)
            if unit.joined is None:
                report = check(unit.text.text, settings, path=_path(unit), project=self._project)
            else:
                report = check_joined(unit.joined, settings, path=_path(unit), project=self._project)
            for crash in report.crashes:
                self._report(crash, unit)
            paths = {related.path for finding in report.findings for related in finding.related if related.path}
            others = {path: self.text_of(path) for path in paths}
            revision, problems = self._problems.get(unit.uri, (0, ()))
            return Checked(unit, settings, report, others, problems=problems if revision == unit.revision else ())
        except Exception:
            logger.exception("The check of %s failed", unit.uri)
            return Checked(unit, DEFAULT, Report(), {})

    def _report(self, crash: Crash, unit: Unit) -> None:
        """Logs a mistake of this program, each once: it comes again with every keystroke."""
        *_, (frame, line) = walk_tb(crash.error.__traceback__)
        place = (crash.code, frame.f_code.co_filename, line)
        if place not in self._crashed:
            self._crashed.add(place)
            logger.error(
                "%s (%s) is not checked in %s. This is a mistake in pallas-lsp %s, not in your code: please report it "
                "with these lines, and with the code that it happens on if you can.",
                *(crash.code, crash.name, unit.uri, __version__),
                exc_info=crash.error,
            )

    def text_of(self, path: str) -> tuple[str, SourceText]:
        """The URI and the text of a file, as the client has it open or as it is on disk; for the analysis thread."""
        module = self._project.module(path)
        uri = next((unit.uri for unit in self._documents if unit.path == path), None)
        return uri or uris.from_path(path), SourceText("") if module is None else module.parsed.source


def _path(unit: Unit) -> str:
    """What names a unit among the modules of the project."""
    return unit.path or unit.uri

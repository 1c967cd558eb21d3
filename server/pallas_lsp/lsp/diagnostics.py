"""Diagnostics: published (`textDocument/publishDiagnostics`), or asked for (`textDocument/diagnostic`), never both.

Cells of notebooks are published to every client: few ask for them.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lsprotocol import types

from pallas_lsp.lsp.analysis import Checked
from pallas_lsp.lsp.capabilities import Client
from pallas_lsp.lsp.convert import diagnostic, hint, raised
from pallas_lsp.lsp.documents import Unit
from pallas_lsp.lsp.schedule import Scheduler

if TYPE_CHECKING:
    from pallas_lsp.lsp.server import PallasServer

# A change of one file can change what is found in others: those wait until typing pauses.
_PAUSE = 0.3


def diagnostics(checked: Checked, client: Client) -> dict[str, list[types.Diagnostic]]:
    """The diagnostics of each document of a unit, by URI: findings, then hints at what was not analysed."""
    by_uri: dict[str, list[types.Diagnostic]] = {part.document.uri: [] for part in checked.unit.parts}
    for finding in checked.report.findings:
        part, made = diagnostic(finding, checked.unit, checked.others, client)
        by_uri[part.document.uri].append(made)
    for problem in checked.problems:
        part, made = raised(problem, checked.unit, client)
        by_uri[part.document.uri].append(made)
    if "pallas" in checked.unit.text.text:  # Nothing is missed elsewhere.
        for notice in checked.report.notices:
            if notice.skipped:
                part, made = hint(notice, checked.unit, client)
                by_uri[part.document.uri].append(made)
    return by_uri


@dataclass(frozen=True, slots=True)
class _Answer:
    """A report that was sent.

    Args:
      result_id: its name.
      revision: of the unit that it is about.
      items: what it says.
    """

    result_id: str
    revision: int
    items: list[types.Diagnostic]


class Diagnostics:
    """Keeps the diagnostics that the client shows up to date."""

    def __init__(self, server: PallasServer) -> None:
        self._server = server
        self._scheduler = Scheduler(self._publish)
        self._others: asyncio.TimerHandle | None = None
        self._published: dict[str, tuple[int, list[types.Diagnostic]]] = {}
        self._answers: dict[str, _Answer] = {}
        self._told = -1
        self._result_ids = map(str, itertools.count(1))

    def changed(self, unit: Unit) -> None:
        """Publishes for a unit that was opened or changed; a little later for the others, if they differ by it."""
        self._request(unit)
        self._request_all_later()

    def _request_all_later(self) -> None:
        if self._others is not None:
            self._others.cancel()
        self._others = asyncio.get_running_loop().call_later(_PAUSE, self._request_all)

    def closed(self, unit: Unit) -> None:
        """Takes back what was shown for a unit."""
        for part in unit.parts:
            self.closed_part(part.document.uri)
        self._request_all_later()

    def closed_part(self, uri: str) -> None:
        """Takes back what was shown for a document, or for a cell that its notebook does not have any more."""
        self._answers.pop(uri, None)
        if self._published.pop(uri, None) is not None:
            self._server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def refresh(self) -> None:
        """Brings everything up to date after a change of settings or files."""
        self._request_all()
        if self._server.client.refresh_diagnostics and self._server.client.pull_diagnostics:
            self._server.workspace_diagnostic_refresh(None)

    async def report(self, params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
        """The answer to `textDocument/diagnostic`; for the newest text, which may be newer than the question."""
        uri, server = params.text_document.uri, self._server
        settings = server.settings_files.report(uri)
        if settings is not None:
            return types.RelatedFullDocumentDiagnosticReport(items=settings)
        checked = await server.analysis.newest(uri)
        server.settings_files.refresh()
        if checked is None or checked.unit.is_notebook:
            return types.RelatedFullDocumentDiagnosticReport(items=[])
        answer = self._answer(checked)
        related = await self._related(checked) if server.client.related_documents else None
        if params.previous_result_id == answer.result_id:
            return types.RelatedUnchangedDocumentDiagnosticReport(answer.result_id, related_documents=related)
        return types.RelatedFullDocumentDiagnosticReport(
            items=answer.items, result_id=answer.result_id, related_documents=related
        )

    def _answer(self, checked: Checked) -> _Answer:
        """The report on a document: the last one again if it says the same of the same text."""
        unit = checked.unit
        items = diagnostics(checked, self._server.client)[unit.uri]
        known = self._answers.get(unit.uri)
        if known is None or (known.revision, known.items) != (unit.revision, items):
            known = self._answers[unit.uri] = _Answer(next(self._result_ids), unit.revision, items)
        return known

    async def _related(self, checked: Checked) -> dict[str, types.FullDocumentDiagnosticReport] | None:
        """Reports on the other open documents in which there are kernels of this one's launches, or the reverse."""
        analysis, reports = self._server.analysis, dict[str, types.FullDocumentDiagnosticReport]()
        for unit in self._server.documents:
            if unit.is_notebook or unit is checked.unit or not unit.path:
                continue
            if unit.path in checked.others or checked.unit.path in analysis.others_of(unit):
                other = await analysis.check(unit)
                if other is not None and self._server.documents.is_current(unit):
                    answer = self._answer(other)
                    reports[unit.uri] = types.FullDocumentDiagnosticReport(answer.items, result_id=answer.result_id)
        return reports or None

    async def report_workspace(self, params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
        """The answer to `workspace/diagnostic`: the open documents, then all files that may hold kernels.

        Each file is a job of its own, so that documents which are edited meanwhile wait for one file at most. If the
        client takes partial results, each is sent as soon as it is there; and if nothing has changed since the last
        answer, there is none until something does, since such clients ask again and again.
        """
        previous = {known.uri: known.value for known in params.previous_result_ids}
        token = params.partial_result_token
        if token is not None and previous:
            await self._server.analysis.until_changed_since(self._told)
        self._told = self._server.analysis.epoch
        reports: list[types.WorkspaceDocumentDiagnosticReport] = []
        async for report in self._reports(previous):
            if token is None:
                reports.append(report)
            else:
                value = types.WorkspaceDiagnosticReportPartialResult([report])
                self._server.protocol.notify(types.PROGRESS, types.ProgressParams(token, value))
        return types.WorkspaceDiagnosticReport(reports)

    async def _reports(self, previous: dict[str, str]) -> AsyncIterator[types.WorkspaceDocumentDiagnosticReport]:
        analysis, documents = self._server.analysis, self._server.documents
        seen = set[str]()
        for unit in documents:
            checked = None if unit.is_notebook else await analysis.check(unit)
            if checked is not None and documents.is_current(unit):
                seen.add(unit.uri)
                yield self._report_of(checked, unit.parts[0].document.version, previous)
        opened = {unit.path for unit in documents}
        for path in await analysis.candidates():
            checked = await analysis.check_file(path) if path not in opened else None
            if checked is not None:
                seen.add(checked.unit.uri)
                if checked.report.findings or checked.unit.uri in previous:
                    yield self._report_of(checked, None, previous)
        for uri in previous.keys() - seen - {unit.uri for unit in documents}:
            self._answers.pop(uri, None)  # It was deleted, or is excluded now.
            yield types.WorkspaceFullDocumentDiagnosticReport(uri, [])

    def _report_of(
        self, checked: Checked, version: int | None, previous: dict[str, str]
    ) -> types.WorkspaceDocumentDiagnosticReport:
        uri, answer = checked.unit.uri, self._answer(checked)
        if previous.get(uri) == answer.result_id:
            return types.WorkspaceUnchangedDocumentDiagnosticReport(uri, answer.result_id, version=version)
        return types.WorkspaceFullDocumentDiagnosticReport(
            uri, answer.items, version=version, result_id=answer.result_id
        )

    def _request(self, unit: Unit) -> None:
        if unit.is_notebook or not self._server.client.pull_diagnostics:
            self._scheduler.request(unit.uri)

    def _request_all(self) -> None:
        for unit in self._server.documents:
            self._request(unit)

    async def _publish(self, uri: str) -> None:
        server = self._server
        unit = server.documents.unit(uri)
        checked = await server.analysis.check(unit) if unit is not None else None
        if checked is None or not server.documents.is_current(checked.unit):
            return
        server.settings_files.refresh()
        items = diagnostics(checked, server.client)
        for part in checked.unit.parts:
            document = part.document
            state = document.version, items[document.uri]
            if self._published.get(document.uri) != state:
                self._published[document.uri] = state
                server.text_document_publish_diagnostics(
                    types.PublishDiagnosticsParams(document.uri, state[1], document.version)
                )


def register(server: PallasServer) -> None:
    """Adds the handlers to a server."""

    @server.feature(types.TEXT_DOCUMENT_DIAGNOSTIC)
    async def document_diagnostic(
        ls: PallasServer, params: types.DocumentDiagnosticParams
    ) -> types.DocumentDiagnosticReport:
        return await ls.diagnostics.report(params)

    if server.client.whole_workspace:

        @server.feature(types.WORKSPACE_DIAGNOSTIC)
        async def workspace_diagnostic(
            ls: PallasServer, params: types.WorkspaceDiagnosticParams
        ) -> types.WorkspaceDiagnosticReport:
            return await ls.diagnostics.report_workspace(params)

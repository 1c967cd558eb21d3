"""Diagnostics: published (`textDocument/publishDiagnostics`), or asked for (`textDocument/diagnostic`), never both.

Cells of notebooks are published to every client: few ask for them.
"""

from __future__ import annotations

import asyncio
import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lsprotocol import types

from pallas_lsp.lsp.analysis import Checked
from pallas_lsp.lsp.capabilities import Client
from pallas_lsp.lsp.convert import diagnostic, hint
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
    if "pallas" in checked.unit.text.text:  # Nothing is missed elsewhere.
        for notice in checked.report.notices:
            if notice.skipped:
                part, made = hint(notice, checked.unit, client)
                by_uri[part.document.uri].append(made)
    return by_uri


@dataclass(frozen=True, slots=True)
class _Answer:
    result_id: str
    unit: Unit
    items: list[types.Diagnostic]


class Diagnostics:
    """Keeps the diagnostics that the client shows up to date."""

    def __init__(self, server: PallasServer) -> None:
        self._server = server
        self._scheduler = Scheduler(self._publish)
        self._others: asyncio.TimerHandle | None = None
        self._published: dict[str, tuple[int, list[types.Diagnostic]]] = {}
        self._answers: dict[str, _Answer] = {}
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
        uri = params.text_document.uri
        checked = await self._server.analysis.newest(uri)
        if checked is None or checked.unit.is_notebook:
            return types.RelatedFullDocumentDiagnosticReport(items=[])
        items = diagnostics(checked, self._server.client)[uri]
        known = self._answers.get(uri)
        if known is not None and (known.unit, known.items) == (checked.unit, items):
            if params.previous_result_id == known.result_id:
                return types.RelatedUnchangedDocumentDiagnosticReport(known.result_id)
        else:
            known = self._answers[uri] = _Answer(next(self._result_ids), checked.unit, items)
        return types.RelatedFullDocumentDiagnosticReport(items=items, result_id=known.result_id)

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

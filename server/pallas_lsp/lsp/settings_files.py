"""Mistakes in settings files as diagnostics of those files, whether the client has them open or not."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from pallas_lsp.config import FILE_NAMES, problems_in
from pallas_lsp.files import content
from pallas_lsp.lsp import uris
from pallas_lsp.lsp.capabilities import SERVER_NAME
from pallas_lsp.lsp.changes import apply_changes
from pallas_lsp.lsp.convert import to_client_range
from pallas_lsp.text import SourceText, UndecodableError, decode

if TYPE_CHECKING:
    from pallas_lsp.lsp.server import PallasServer

CODE = "invalid-setting"
"""The code of the diagnostics; it is no rule, and nothing hides it."""

_Signature = tuple[int, int] | None


def is_settings_file(uri: str) -> bool:
    """Whether a document is named like a settings file."""
    return Path(uris.to_path(uri)).name in FILE_NAMES


class SettingsFiles:
    """Keeps the diagnostics of settings files up to date: those that are open, and those that a check has read."""

    def __init__(self, server: PallasServer) -> None:
        self._server = server
        self._open: dict[str, tuple[int, SourceText]] = {}
        self._seen: dict[str, _Signature] = {}
        self._published: dict[str, list[types.Diagnostic]] = {}

    def open(self, item: types.TextDocumentItem) -> None:
        """Takes the text of a document that is a settings file."""
        self._open[item.uri] = item.version, SourceText(item.text)
        self._show_open(item.uri)

    def change(self, uri: str, version: int, changes: Sequence[types.TextDocumentContentChangeEvent]) -> None:
        """Takes a change of a settings file, if it is open."""
        if uri in self._open:
            text = apply_changes(self._open[uri][1], changes, self._server.client.encoding)
            self._open[uri] = version, text
            self._show_open(uri)

    def close(self, uri: str) -> None:
        """Forgets the text; what is on disk counts from now on."""
        if self._open.pop(uri, None) is not None:
            self._publish(uri, [], None)
            self._seen.pop(uris.to_path(uri), None)
            self.refresh()

    def report(self, uri: str) -> list[types.Diagnostic] | None:
        """The diagnostics of a settings file that is open; None for another document."""
        return self._diagnostics(uri, self._open[uri][1]) if uri in self._open else None

    def refresh(self) -> None:
        """Looks again at the files that checks have read, and that have changed since."""
        opened = {uris.to_path(uri) for uri in self._open}
        for path in sorted(self._server.configuration.files - opened):
            signature = _signature(path)
            if path not in self._seen or self._seen[path] != signature:
                self._seen[path] = signature
                uri = uris.from_path(path)
                self._publish(uri, self._diagnostics(uri, SourceText(_content(path))), None)

    def _show_open(self, uri: str) -> None:
        version, text = self._open[uri]
        if not self._server.client.pull_diagnostics:
            self._publish(uri, self._diagnostics(uri, text), version)
        else:
            self._publish(uri, [], version)  # It asks, now that the document is open.

    def _diagnostics(self, uri: str, text: SourceText) -> list[types.Diagnostic]:
        # The TOML library and the places of problems know no other line break.
        problems = problems_in(uris.to_path(uri), text.text.replace("\r\n", "\n"))
        return [
            types.Diagnostic(
                range=to_client_range(text, problem.range, self._server.client.encoding),
                message=problem.message,
                severity=types.DiagnosticSeverity.Error,
                code=CODE,
                source=SERVER_NAME,
            )
            for problem in problems
        ]

    def _publish(self, uri: str, diagnostics: list[types.Diagnostic], version: int | None) -> None:
        if diagnostics != self._published.get(uri, []):
            self._published[uri] = diagnostics
            self._server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics, version))


def _signature(path: str) -> _Signature:
    try:
        status = Path(path).stat()
    except (OSError, ValueError):  # ValueError: the name has a NUL character
        return None
    return status.st_mtime_ns, status.st_size


def _content(path: str) -> str:
    try:
        return decode(content(path)).text
    except (OSError, UndecodableError):
        return ""

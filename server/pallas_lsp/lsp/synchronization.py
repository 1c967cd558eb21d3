"""Documents and notebooks as they are opened, changed, saved and closed (LSP 3.17, Document Synchronization)."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from lsprotocol import types

from pallas_lsp.lsp.documents import Unit
from pallas_lsp.lsp.rehearsal import rehearse
from pallas_lsp.lsp.settings_files import is_settings_file

if TYPE_CHECKING:
    from pallas_lsp.lsp.server import PallasServer


def register(server: PallasServer) -> None:
    """Adds the handlers to a server. They take the text and schedule the rest."""

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(ls: PallasServer, params: types.DidOpenTextDocumentParams) -> None:
        if is_settings_file(params.text_document.uri):
            ls.settings_files.open(params.text_document)
        else:
            unit = ls.documents.open(params.text_document)
            _changed(ls, unit)
            if unit is not None and ls.rehearsal is None:
                ls.rehearsal = asyncio.create_task(rehearse(ls, unit))

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(ls: PallasServer, params: types.DidChangeTextDocumentParams) -> None:
        document = params.text_document
        ls.settings_files.change(document.uri, document.version, params.content_changes)
        _changed(ls, ls.documents.change(document.uri, document.version, params.content_changes))

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def did_save(ls: PallasServer, params: types.DidSaveTextDocumentParams) -> None:
        # Of a client that does not watch files this is the one sign that one has changed, such as our configuration.
        if not ls.client.dynamic_file_watching:
            ls.refresh()

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(ls: PallasServer, params: types.DidCloseTextDocumentParams) -> None:
        ls.settings_files.close(params.text_document.uri)
        _closed(ls, ls.documents.close(params.text_document.uri))

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_OPEN)
    def did_open_notebook(ls: PallasServer, params: types.DidOpenNotebookDocumentParams) -> None:
        notebook = params.notebook_document
        _changed(ls, ls.documents.open_notebook(notebook.uri, notebook.cells, params.cell_text_documents))

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CHANGE)
    def did_change_notebook(ls: PallasServer, params: types.DidChangeNotebookDocumentParams) -> None:
        uri, cells = params.notebook_document.uri, params.change.cells
        before = ls.documents.unit(uri)
        if before is None or cells is None:
            return
        after = ls.documents.change_notebook(uri, cells)
        _changed(ls, after)
        for part in before.parts:
            if after is None or after.part(part.document.uri) is None:
                ls.diagnostics.closed_part(part.document.uri)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CLOSE)
    def did_close_notebook(ls: PallasServer, params: types.DidCloseNotebookDocumentParams) -> None:
        _closed(ls, ls.documents.close_notebook(params.notebook_document.uri))


def _changed(server: PallasServer, unit: Unit | None) -> None:
    if unit is not None:
        server.analysis.invalidate()
        server.diagnostics.changed(unit)


def _closed(server: PallasServer, unit: Unit | None) -> None:
    if unit is not None:
        server.analysis.forget(unit)
        server.analysis.invalidate()
        server.diagnostics.closed(unit)

"""A server as pygls' own documentation would have it written, to show what our layer over pygls is for."""

from __future__ import annotations

import hashlib
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

server = LanguageServer(
    "plain",
    "1",
    notebook_document_sync=types.NotebookDocumentSyncOptions(
        [types.NotebookDocumentFilterWithCells(cells=[types.NotebookCellLanguage("python")])]
    ),
)
uris: list[str] = []


@server.feature(types.TEXT_DOCUMENT_DID_OPEN)
def did_open(ls: LanguageServer, params: types.DidOpenTextDocumentParams) -> None:
    uris.append(params.text_document.uri)


@server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
def did_change(ls: LanguageServer, params: types.DidChangeTextDocumentParams) -> None:
    pass


@server.feature(types.NOTEBOOK_DOCUMENT_DID_OPEN)
def did_open_notebook(ls: LanguageServer, params: types.DidOpenNotebookDocumentParams) -> None:
    uris.extend(cell.document for cell in params.notebook_document.cells)


@server.feature(types.TEXT_DOCUMENT_CODE_ACTION)
def code_action(ls: LanguageServer, params: types.CodeActionParams) -> list[types.CodeAction]:
    assert ls.workspace.get_text_document(params.text_document.uri).source is not None
    return []


@server.command("pallas-lsp.debugInformation")
def debug_information(ls: LanguageServer) -> dict[str, Any]:
    texts = {uri: ls.workspace.text_documents[uri].source for uri in uris}
    return {
        "documents": [{"uri": uri, "sha256": hashlib.sha256(text.encode()).hexdigest()} for uri, text in texts.items()]
    }


if __name__ == "__main__":
    server.start_io()

"""Writes the table of LSP's methods in docs/protocol.md from what the server registers and sends: `make docs`."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from lsprotocol import types

import pallas_lsp
from pallas_lsp.lsp.bootstrap import Session
from pallas_lsp.lsp.capabilities import client_of
from pallas_lsp.lsp.inbox import Inbox
from pallas_lsp.lsp.server import PallasServer
from pallas_lsp.lsp.transport import Stream

PAGE = Path(__file__).parent.parent / "docs" / "protocol.md"
TABLE = re.compile(r"(?<=<!-- methods -->\n).*(?=<!-- end of methods -->)", re.DOTALL)
BOOTSTRAPPED = frozenset({types.INITIALIZE, types.EXIT, types.CANCEL_REQUEST})
"""Methods that are handled before or beside pygls."""

OTHERS = "A general Python server has it; two answers would be one too many."
REMARKS: dict[str, str] = {
    "$/cancelRequest": "Also for requests that wait for their turn. The answer is the error -32800.",
    "$/logTrace": "Sent for each message from the client when the trace is `messages` or `verbose`.",
    "$/progress": "For the search for launches in large workspaces, and partial results of `workspace/diagnostic`.",
    "$/setTrace": "See `$/logTrace`.",
    "callHierarchy/incomingCalls": "Kernels and their launches.",
    "callHierarchy/outgoingCalls": "Kernels and their launches.",
    "client/registerCapability": "For watched files and `didChangeConfiguration`, if the client can.",
    "client/unregisterCapability": "What is registered holds for the whole session.",
    "codeAction/resolve": "For fixes of many findings, if the client can resolve an `edit`.",
    "codeLens/resolve": "Lenses are complete when they are sent.",
    "completionItem/resolve": OTHERS,
    "documentLink/resolve": "There are no document links.",
    "exit": "Code 0 after `shutdown`, else 1.",
    "initialize": "Answered before pygls is imported.",
    "initialized": "Settings are asked for and the workspace is looked through from here on.",
    "inlayHint/resolve": "Hints are complete when they are sent.",
    "notebookDocument/didChange": "Cells may be added, moved, deleted and changed.",
    "notebookDocument/didClose": "Takes back the diagnostics of all cells.",
    "notebookDocument/didOpen": "The Python cells are one program.",
    "notebookDocument/didSave": "Not asked for: the cells are known already.",
    "shutdown": "Requests after it are refused with -32600.",
    "telemetry/event": "There is no telemetry.",
    "textDocument/codeAction": "Quick fixes, `refactor.rewrite` of a lambda to a `def`, `source.fixAll.pallas-lsp`, "
    "`notebook.source.fixAll.pallas-lsp`.",
    "textDocument/codeLens": "Where a kernel is launched, and to run it. `codeLens` switches either off.",
    "textDocument/colorPresentation": "Kernels have no colours.",
    "textDocument/completion": OTHERS,
    "textDocument/declaration": OTHERS,
    "textDocument/definition": "From a parameter, where it is defined, to its spec, output or argument; no `def`s.",
    "textDocument/diagnostic": "With result ids, `unchanged`, and related documents if the client takes them.",
    "textDocument/didChange": "Incremental. Columns in UTF-8, UTF-16 or UTF-32; positions past an end are clamped.",
    "textDocument/didClose": "Takes back the diagnostics.",
    "textDocument/didOpen": "Python by language or name, Markdown with Python in it, and our settings files.",
    "textDocument/didSave": "Settings and files on disk are looked at again if the client does not watch files.",
    "textDocument/documentColor": "Kernels have no colours.",
    "textDocument/documentHighlight": "A parameter and what it stands for; a kernel and its launches.",
    "textDocument/documentLink": "A finding links to the page of its rule by `codeDescription`.",
    "textDocument/documentSymbol": "Kernels with what their parameters are, and launches; no other functions.",
    "textDocument/foldingRange": OTHERS,
    "textDocument/formatting": "A formatter's task. Fixes keep the layout of what they do not change.",
    "textDocument/hover": "Findings, comments that hide findings, kernels, their parameters and launches.",
    "textDocument/implementation": OTHERS,
    "textDocument/inlayHint": "Roles of parameters, shapes of blocks. `inlayHints` switches either off.",
    "textDocument/inlineCompletion": "It completes nothing.",
    "textDocument/inlineValue": "For debuggers.",
    "textDocument/linkedEditingRange": "For markup languages.",
    "textDocument/moniker": "For indexes of packages.",
    "textDocument/onTypeFormatting": "A formatter's task.",
    "textDocument/prepareCallHierarchy": "Kernels and their launches.",
    "textDocument/prepareRename": OTHERS,
    "textDocument/prepareTypeHierarchy": "Kernels have no subtypes.",
    "textDocument/publishDiagnostics": "For clients that do not ask; for all: cells, and settings files not open.",
    "textDocument/rangeFormatting": "A formatter's task.",
    "textDocument/rangesFormatting": "A formatter's task.",
    "textDocument/references": "The launches of a kernel; what a parameter stands for, and back.",
    "textDocument/rename": OTHERS,
    "textDocument/selectionRange": OTHERS,
    "textDocument/semanticTokens/full": OTHERS,
    "textDocument/semanticTokens/full/delta": OTHERS,
    "textDocument/semanticTokens/range": OTHERS,
    "textDocument/signatureHelp": OTHERS,
    "textDocument/typeDefinition": OTHERS,
    "textDocument/willSave": "Not asked for: it changes nothing that is known.",
    "textDocument/willSaveWaitUntil": "Clients fix on save by `source.fixAll.pallas-lsp`, where the user chooses it.",
    "typeHierarchy/subtypes": "Kernels have no subtypes.",
    "typeHierarchy/supertypes": "Kernels have no subtypes.",
    "window/logMessage": "What `logLevel` lets through; `info` when nothing is said.",
    "window/showDocument": "Where a code lens leads, if the client can show a place.",
    "window/showMessage": "Only for what the user must mend: a settings file that cannot be used.",
    "window/showMessageRequest": "It asks nothing.",
    "window/workDoneProgress/cancel": "Stops the search for launches.",
    "window/workDoneProgress/create": "When the search for launches takes a while.",
    "workspace/applyEdit": "For the command `pallas-lsp.applyFixes`.",
    "workspace/codeLens/refresh": "After changes of settings or files.",
    "workspace/configuration": "The section `pallas-lsp`, for each folder.",
    "workspace/diagnostic": "With `diagnosticMode` `workspace`. Partial results; with them, no answer until something "
    "has changed.",
    "workspace/diagnostic/refresh": "After changes of settings or files.",
    "workspace/didChangeConfiguration": "With the settings, or for clients that are asked, without.",
    "workspace/didChangeWatchedFiles": "Python files, settings, lock files, `.gitignore`.",
    "workspace/didChangeWorkspaceFolders": "Roots come and go.",
    "workspace/didCreateFiles": "Python files, settings files, folders.",
    "workspace/didDeleteFiles": "Python files, settings files, folders.",
    "workspace/didRenameFiles": "Python files, settings files, folders.",
    "workspace/executeCommand": "`pallas-lsp.applyFixes` and the others of `executeCommandProvider`.",
    "workspace/foldingRange/refresh": OTHERS,
    "workspace/inlayHint/refresh": "After changes of settings or files.",
    "workspace/inlineValue/refresh": "For debuggers.",
    "workspace/semanticTokens/refresh": OTHERS,
    "workspace/symbol": "Kernels by name.",
    "workspace/textDocumentContent": "There are no documents of our own.",
    "workspace/textDocumentContent/refresh": "There are no documents of our own.",
    "workspace/willCreateFiles": "New files need no edits.",
    "workspace/willDeleteFiles": "Deleted files need no edits of ours.",
    "workspace/willRenameFiles": "Imports are the task of a general Python server.",
    "workspace/workspaceFolders": "They come with `initialize` and `didChangeWorkspaceFolders`.",
    "workspaceSymbol/resolve": "Symbols are complete when they are sent.",
}
"""What each method does here, or why it is not there."""


INSIGHT = frozenset(
    (
        *("callHierarchy/incomingCalls", "callHierarchy/outgoingCalls", "textDocument/prepareCallHierarchy"),
        *("textDocument/codeLens", "textDocument/definition", "textDocument/documentHighlight"),
        *("textDocument/documentSymbol", "textDocument/hover", "textDocument/inlayHint", "textDocument/references"),
        *("workspace/codeLens/refresh", "workspace/inlayHint/refresh", "workspace/symbol"),
    )
)
"""Methods whose remark says what they are for, whether they are there or not."""


def handled() -> frozenset[str]:
    """The methods that the server handles for a client that can do everything."""
    params = {"capabilities": {}, "initializationOptions": {"diagnosticMode": "workspace"}}
    session = Session(Stream(lambda _: b"", lambda _: None), Inbox(), client_of(params), params)
    manager = PallasServer(session).protocol.fm
    return frozenset({*manager.features, *manager.builtin_features}) | BOOTSTRAPPED


def sent() -> frozenset[str]:
    """The methods that appear in the server's code as what it sends."""
    code = "\n".join(
        path.read_text(encoding="utf-8") for path in (Path(pallas_lsp.__file__).parent / "lsp").glob("*.py")
    )
    names = {
        method: re.sub(r"[A-Z]|/", lambda found: f"_{found[0].lower()}".replace("_/", "_"), method)
        for method in REMARKS
    }
    calls = {method for method, name in names.items() if re.search(rf"\.{re.escape(name)}(_async)?\b", code)}
    constants = {types.PROGRESS: "types.PROGRESS", types.LOG_TRACE: "types.LOG_TRACE"}
    return frozenset(calls | {method for method, constant in constants.items() if constant in code})


def table() -> str:
    """One row for each method of LSP."""
    there = handled() | sent()
    rows = ["| Method | From | Supported | |", "| --- | --- | --- | --- |"]
    for method in sorted(types.METHOD_TO_TYPES, key=str.lower):
        direction = {"clientToServer": "client", "serverToClient": "server", "both": "both"}
        by = direction[types.message_direction(method)]
        supported = "yes" if method in there else "not yet" if method in INSIGHT else "no"
        rows.append(f"| `{method}` | {by} | {supported} | {REMARKS[method]} |")
    return "\n".join(rows) + "\n"


def generated() -> dict[Path, str]:
    """The text of the page, by its path."""
    return {PAGE: TABLE.sub(lambda _: table(), PAGE.read_text(encoding="utf-8"))}


def main() -> int:
    """Writes the page."""
    for path, text in generated().items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

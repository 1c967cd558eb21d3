"""What a client can do, and what the server answers to `initialize`. Plain JSON: this is needed before pygls is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from pallas_lsp import __version__

if TYPE_CHECKING:
    from pallas_lsp.text import PositionEncoding

SERVER_NAME = "pallas-lsp"

QUICK_FIX = "quickfix"
REFACTOR_REWRITE = "refactor.rewrite"
SOURCE_FIX_ALL = "source.fixAll.pallas-lsp"
NOTEBOOK_FIX_ALL = "notebook.source.fixAll.pallas-lsp"

APPLY_FIXES = "pallas-lsp.applyFixes"
COUNT_KERNELS = "pallas-lsp.countKernels"
DEBUG_INFORMATION = "pallas-lsp.debugInformation"
SHOW_LAUNCH = "pallas-lsp.showLaunch"
VERIFY_KERNEL = "pallas-lsp.verifyKernel"

_FILE_OPERATIONS = ("didCreate", "didRename", "didDelete")

# Folders have no ending: a renamed package moves all its modules.
_FILES = {
    "filters": [
        {"scheme": "file", "pattern": {"glob": "**/*.{py,toml}", "matches": "file"}},
        {"scheme": "file", "pattern": {"glob": "**", "matches": "folder"}},
    ]
}

# UTF-8 is what `ast` counts in; UTF-32 is what `str` counts in; UTF-16 is what every client must offer.
_PREFERENCE = ("utf-8", "utf-32", "utf-16")


class Client(NamedTuple):
    """What the client supports, from `InitializeParams.capabilities`; all that is optional in an answer depends on it.

    Args:
      encoding_name: the unit of columns that was agreed on, as LSP names it.
      pull_diagnostics: it asks for diagnostics, so none are published.
      refresh_diagnostics: it can be told to ask again.
      related_information, code_description: parts of a diagnostic.
      tags: the DiagnosticTag values that it renders.
      preferred_actions, disabled_actions: `isPreferred` and `disabled` of a code action.
      resolved_edits: a code action's edit may come later, by `codeAction/resolve`.
      document_changes: edits may name the version that they are for.
      confirmed_edits: an edit of a code action may ask the user for confirmation, by a change annotation.
      apply_edit: it takes `workspace/applyEdit`.
      configuration: it answers `workspace/configuration`.
      dynamic_configuration, dynamic_file_watching: it can be asked to notify of changes.
      workspace_folders: it has several roots and tells when they change.
      notebooks: it synchronises notebook documents.
      markdown_hover: it shows Markdown in a hover.
      diagnostic_data: it gives a diagnostic's `data` back.
      related_documents: a report on one document may have reports on others.
      work_done_progress: the server may show that it works on something.
      file_operations: what it tells of files that it has created, renamed or deleted: `didCreate` and the like.
      show_document: it can be asked to show a place (`window/showDocument`).
      refresh_hints, refresh_lenses: it can be told to ask for inlay hints or code lenses again.
      hierarchical_symbols: symbols of a document may have children.
      trusted: the user trusts the workspace, so its code may be run when that is asked for; unless the client says
        otherwise (`trusted` in `initializationOptions`).
      whole_workspace: its user wants diagnostics of all files, not only of open ones (`diagnosticMode`).
    """

    encoding_name: str
    pull_diagnostics: bool
    refresh_diagnostics: bool
    related_information: bool
    code_description: bool
    tags: frozenset[int]
    preferred_actions: bool
    disabled_actions: bool
    resolved_edits: bool
    document_changes: bool
    confirmed_edits: bool
    apply_edit: bool
    configuration: bool
    dynamic_configuration: bool
    dynamic_file_watching: bool
    workspace_folders: bool
    notebooks: bool
    markdown_hover: bool
    diagnostic_data: bool
    related_documents: bool
    work_done_progress: bool
    file_operations: frozenset[str]
    show_document: bool
    refresh_hints: bool
    refresh_lenses: bool
    hierarchical_symbols: bool
    trusted: bool
    whole_workspace: bool

    @property
    def encoding(self) -> PositionEncoding:
        """The unit of columns that was agreed on."""
        from pallas_lsp.text import PositionEncoding

        return PositionEncoding(self.encoding_name)


def client_of(params: Mapping[str, Any]) -> Client:
    """Reads `InitializeParams`; a part that is missing or malformed counts as not supported."""

    def has(*path: str) -> bool:
        return bool(_at(params, "capabilities", *path))

    def lists(value: str, *path: str) -> bool:
        return value in _strings(_at(params, "capabilities", *path))

    action = ("textDocument", "codeAction")
    published = ("textDocument", "publishDiagnostics")
    pulled = ("textDocument", "diagnostic")
    edit = ("workspace", "workspaceEdit")
    tags = (_at(params, "capabilities", *where, "tagSupport", "valueSet") for where in (published, pulled))
    return Client(
        encoding_name=_encoding(_strings(_at(params, "capabilities", "general", "positionEncodings"))),
        pull_diagnostics=_at(params, "capabilities", *pulled) is not None,
        refresh_diagnostics=has("workspace", "diagnostics", "refreshSupport"),
        related_information=has(*published, "relatedInformation") or has(*pulled, "relatedInformation"),
        code_description=has(*published, "codeDescriptionSupport") or has(*pulled, "codeDescriptionSupport"),
        tags=frozenset(tag for values in tags if isinstance(values, list) for tag in values if isinstance(tag, int)),
        preferred_actions=has(*action, "isPreferredSupport"),
        disabled_actions=has(*action, "disabledSupport"),
        resolved_edits=has(*action, "dataSupport") and lists("edit", *action, "resolveSupport", "properties"),
        document_changes=has(*edit, "documentChanges"),
        confirmed_edits=has(*edit, "documentChanges")
        and _at(params, "capabilities", *edit, "changeAnnotationSupport") is not None
        and has(*action, "honorsChangeAnnotations"),
        apply_edit=has("workspace", "applyEdit"),
        configuration=has("workspace", "configuration"),
        dynamic_configuration=has("workspace", "didChangeConfiguration", "dynamicRegistration"),
        dynamic_file_watching=has("workspace", "didChangeWatchedFiles", "dynamicRegistration"),
        workspace_folders=has("workspace", "workspaceFolders"),
        notebooks=_at(params, "capabilities", "notebookDocument", "synchronization") is not None,
        markdown_hover=lists("markdown", "textDocument", "hover", "contentFormat"),
        diagnostic_data=has(*published, "dataSupport") or has(*pulled, "dataSupport"),
        related_documents=has(*pulled, "relatedDocumentSupport"),
        work_done_progress=has("window", "workDoneProgress"),
        file_operations=frozenset(name for name in _FILE_OPERATIONS if has("workspace", "fileOperations", name)),
        show_document=has("window", "showDocument", "support"),
        refresh_hints=has("workspace", "inlayHint", "refreshSupport"),
        refresh_lenses=has("workspace", "codeLens", "refreshSupport"),
        hierarchical_symbols=has("textDocument", "documentSymbol", "hierarchicalDocumentSymbolSupport"),
        trusted=_at(params, "initializationOptions", "trusted") is not False,
        whole_workspace="workspace"
        in (
            _at(params, "initializationOptions", "diagnosticMode"),
            _at(params, "initializationOptions", "settings", "diagnosticMode"),
        ),
    )


def initialize_result(client: Client) -> dict[str, Any]:
    """The `InitializeResult` for a client."""
    capabilities: dict[str, Any] = {
        "positionEncoding": client.encoding_name,
        "textDocumentSync": {"openClose": True, "change": 2, "save": {"includeText": False}},
        "codeActionProvider": {
            "codeActionKinds": [
                QUICK_FIX,
                REFACTOR_REWRITE,
                SOURCE_FIX_ALL,
                *([NOTEBOOK_FIX_ALL] if client.notebooks else ()),
            ],
            "resolveProvider": client.resolved_edits,
        },
        "hoverProvider": True,
        "inlayHintProvider": True,
        "codeLensProvider": {},
        "definitionProvider": True,
        "referencesProvider": True,
        "documentHighlightProvider": True,
        "documentSymbolProvider": {"label": "Pallas"},
        "workspaceSymbolProvider": True,
        "executeCommandProvider": {
            "commands": [
                *([APPLY_FIXES] if client.apply_edit else ()),
                *([SHOW_LAUNCH] if client.show_document else ()),
                *([VERIFY_KERNEL] if client.trusted else ()),
                COUNT_KERNELS,
                DEBUG_INFORMATION,
            ],
        },
    }
    if client.pull_diagnostics:
        capabilities["diagnosticProvider"] = {
            "identifier": SERVER_NAME,
            "interFileDependencies": True,
            "workspaceDiagnostics": client.whole_workspace,
        }
    if client.notebooks:
        capabilities["notebookDocumentSync"] = {"notebookSelector": [{"cells": [{"language": "python"}]}]}
    workspace: dict[str, Any] = {}
    if client.workspace_folders:
        workspace["workspaceFolders"] = {"supported": True, "changeNotifications": True}
    if client.file_operations:
        workspace["fileOperations"] = dict.fromkeys(sorted(client.file_operations), _FILES)
    if workspace:
        capabilities["workspace"] = workspace
    return {"capabilities": capabilities, "serverInfo": {"name": SERVER_NAME, "version": __version__}}


def _encoding(offered: Sequence[str]) -> str:
    return next((encoding for encoding in _PREFERENCE if encoding in offered), "utf-16")


def _at(value: object, *path: str) -> object:
    for name in path:
        if not isinstance(value, Mapping):
            return None
        value = value.get(name)
    return value


def _strings(value: object) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []

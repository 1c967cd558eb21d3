"""`workspace/executeCommand`: what editors bind to menus and keys."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified, JsonRpcInvalidParams

from pallas_lsp import __version__
from pallas_lsp.lsp.capabilities import (
    APPLY_FIXES,
    COUNT_KERNELS,
    DEBUG_INFORMATION,
    SHOW_LAUNCH,
    VERIFY_KERNEL,
)
from pallas_lsp.lsp.code_actions import FIX_ALL_TITLE, codes_of
from pallas_lsp.lsp.edits import workspace_edit
from pallas_lsp.lsp.verification import verify_kernel

if TYPE_CHECKING:
    from pallas_lsp.lsp.server import PallasServer


async def _apply_fixes(server: PallasServer, arguments: list[Any]) -> bool:
    """Fixes all in a document, as `workspace/applyEdit`; whether anything was changed.

    The argument is an object: the `uri` of the document, the `version` that the client has, and optionally the `codes`
    of the rules to fix.
    """
    match arguments:
        case [{"uri": str(uri), "version": int(version), **rest}]:
            codes = codes_of(rest)
        case _:
            raise JsonRpcInvalidParams(f"{APPLY_FIXES} takes one object with `uri` and `version`")
    unit = server.documents.unit(uri)
    part = None if unit is None else unit.part(uri)
    if unit is None or part is None:
        raise JsonRpcInvalidParams(f"{uri} is not open, or not Python")
    checked = await server.analysis.check(unit)
    if checked is None or part.document.version != version:
        raise JsonRpcContentModified()
    edits = await server.analysis.fix_all(checked, codes)
    if not server.documents.is_current(unit):
        raise JsonRpcContentModified()
    if not edits:
        return False
    edit = workspace_edit(unit, edits, server.client)
    result = await server.workspace_apply_edit_async(types.ApplyWorkspaceEditParams(edit, label=FIX_ALL_TITLE))
    return result.applied


async def _count_kernels(server: PallasServer, arguments: list[Any]) -> int:
    """How many kernels a document defines; of a cell, how many its notebook does.

    The argument is an object: the `uri` of the document.
    """
    match arguments:
        case [{"uri": str(uri)}]:
            checked = await server.analysis.newest(uri)
        case _:
            raise JsonRpcInvalidParams(f"{COUNT_KERNELS} takes one object with `uri`")
    if checked is None:
        raise JsonRpcInvalidParams(f"{uri} is not open, or not Python")
    return checked.report.kernels


async def _show_launch(server: PallasServer, arguments: list[Any]) -> bool:
    """Goes to a launch, as a code lens asks; whether the client has shown it.

    The argument is an object: `uri`, and 0-based `line` and `character` in the client's encoding.
    """
    match arguments:
        case [{"uri": str(uri), "line": int(line), "character": int(character)}] if line >= 0 and character >= 0:
            start = types.Position(line, character)
        case _:
            raise JsonRpcInvalidParams(f"{SHOW_LAUNCH} takes one object with `uri`, `line` and `character`")
    params = types.ShowDocumentParams(uri, take_focus=True, selection=types.Range(start, start))
    result = await server.window_show_document_async(params)
    return result.success


async def _debug_information(server: PallasServer, arguments: list[Any]) -> dict[str, Any]:
    """What to know about a server that misbehaves. Texts of documents are not in it, only their digests."""
    return {
        "version": __version__,
        "python": sys.version,
        "executable": sys.executable,
        "encoding": server.client.encoding_name,
        "diagnostics": "pull" if server.client.pull_diagnostics else "push",
        "folders": list(server.configuration.folders),
        "imported": sorted({"jax", "libcst", "numpy"} & sys.modules.keys()),
        "documents": [
            {
                "uri": part.document.uri,
                "version": part.document.version,
                "lines": part.document.text.line_count,
                "sha256": hashlib.sha256(part.document.text.text.encode("utf-8", "surrogatepass")).hexdigest(),
                "configuration": server.configuration.settings(unit).source,
            }
            for unit in server.documents
            for part in unit.parts
        ],
    }


_COMMANDS: dict[str, Callable[[PallasServer, list[Any]], Awaitable[Any]]] = {
    APPLY_FIXES: _apply_fixes,
    COUNT_KERNELS: _count_kernels,
    DEBUG_INFORMATION: _debug_information,
    SHOW_LAUNCH: _show_launch,
    VERIFY_KERNEL: verify_kernel,
}


def register(server: PallasServer) -> None:
    """Adds the handlers to a server."""

    @server.feature(types.WORKSPACE_EXECUTE_COMMAND)
    async def execute_command(ls: PallasServer, params: types.ExecuteCommandParams) -> Any:
        command = _COMMANDS.get(params.command)
        if command is None:
            raise JsonRpcInvalidParams(f"there is no command {params.command}")
        return await command(ls, list(params.arguments or ()))

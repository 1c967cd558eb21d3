"""The workspace: its folders, the editor's settings, and the files on disk that matter."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from lsprotocol import types

from pallas_lsp.config import FILE_NAMES
from pallas_lsp.lsp.configuration import SECTION
from pallas_lsp.lsp.progress import Cancelled, Watched
from pallas_lsp.target import PROJECT_FILES

if TYPE_CHECKING:
    from pallas_lsp.lsp.server import PallasServer


logger = logging.getLogger(__name__)


def register(server: PallasServer) -> None:
    """Adds the handlers to a server."""

    @server.feature(types.INITIALIZED)
    async def initialized(ls: PallasServer, params: types.InitializedParams) -> None:
        if registrations := _registrations(ls):
            ls.client_register_capability(types.RegistrationParams(registrations))
        await _ask_configuration(ls)
        await _index(ls)

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def did_change_configuration(ls: PallasServer, params: types.DidChangeConfigurationParams) -> None:
        ls.configuration.take(params.settings)
        await _ask_configuration(ls)
        ls.refresh()

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    async def did_change_folders(ls: PallasServer, params: types.DidChangeWorkspaceFoldersParams) -> None:
        ls.configuration.change_folders(params.event)
        ls.analysis.use_folders()
        await _ask_configuration(ls)
        ls.refresh()
        await _index(ls)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def did_change_watched_files(ls: PallasServer, params: types.DidChangeWatchedFilesParams) -> None:
        await _files_changed(ls)

    @server.feature(types.WORKSPACE_DID_CREATE_FILES)
    async def did_create_files(ls: PallasServer, params: types.CreateFilesParams) -> None:
        await _files_changed(ls)

    @server.feature(types.WORKSPACE_DID_RENAME_FILES)
    async def did_rename_files(ls: PallasServer, params: types.RenameFilesParams) -> None:
        await _files_changed(ls)

    @server.feature(types.WORKSPACE_DID_DELETE_FILES)
    async def did_delete_files(ls: PallasServer, params: types.DeleteFilesParams) -> None:
        await _files_changed(ls)


async def _files_changed(server: PallasServer) -> None:
    """Takes note of files that came and went: a folder takes all that is in it along, and nobody lists that."""
    server.refresh()
    await _index(server)


async def _index(server: PallasServer) -> None:
    """The documents that are open have been checked by then; they are again if another file turns out to matter."""
    if server.indexing is not None:
        server.indexing.stop()  # It has not seen what is new.
    work = server.indexing = Watched(server, "Looking for Pallas kernels")
    try:
        if await server.analysis.index(work.report):
            server.refresh()
    except Cancelled:
        logger.info("The search for Pallas kernels was stopped; launches in files that are not open may be missed")
    finally:
        work.end()
        if server.indexing is work:
            server.indexing = None


async def _ask_configuration(server: PallasServer) -> None:
    if server.client.configuration:
        await server.configuration.ask(server)


def _registrations(server: PallasServer) -> list[types.Registration]:
    """What is asked of the client when it is ready: it can only be registered dynamically."""
    registrations = []
    if server.client.dynamic_configuration:
        configuration = types.DidChangeConfigurationRegistrationOptions(section=SECTION)
        registrations.append(
            types.Registration("configuration", types.WORKSPACE_DID_CHANGE_CONFIGURATION, configuration)
        )
    if server.client.dynamic_file_watching:
        globs = [f"**/{name}" for name in dict.fromkeys((*FILE_NAMES, *PROJECT_FILES, "*.py", ".gitignore"))]
        files = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(glob) for glob in globs])
        registrations.append(types.Registration("files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, files))
    return registrations

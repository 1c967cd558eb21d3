"""The server as a whole: its parts, and its loop over the client's messages."""

from __future__ import annotations

import asyncio
import gc
import logging
import sys

from pygls.exceptions import JsonRpcException, JsonRpcInternalError
from pygls.lsp.server import LanguageServer

from pallas_lsp import __version__
from pallas_lsp.lsp import (
    code_actions,
    code_lenses,
    commands,
    diagnostics,
    hover,
    inlay_hints,
    navigation,
    progress,
    symbols,
    synchronization,
    workspace,
)
from pallas_lsp.lsp.analysis import Analysis
from pallas_lsp.lsp.bootstrap import Session
from pallas_lsp.lsp.capabilities import SERVER_NAME
from pallas_lsp.lsp.configuration import Configuration
from pallas_lsp.lsp.documents import Documents
from pallas_lsp.lsp.logs import log_to
from pallas_lsp.lsp.parent import watch_parent
from pallas_lsp.lsp.progress import Watched
from pallas_lsp.lsp.protocol import Protocol
from pallas_lsp.lsp.settings_files import SettingsFiles

logger = logging.getLogger(__name__)

# Analysis and loop take turns at the interpreter: the default lets the loop wait 5 ms for its turn, each time.
_SWITCH_INTERVAL = 0.001

# Full collections walk all the facts that are kept; there are few cycles among them.
_COLLECTION_THRESHOLDS = (50_000, 20, 100)


_FEATURES = (
    *(synchronization, diagnostics, code_actions, commands, hover, workspace, progress),
    *(inlay_hints, code_lenses, symbols, navigation),
)


class PallasServer(LanguageServer):
    """The language server of one client."""

    protocol: Protocol

    def __init__(self, session: Session) -> None:
        super().__init__(SERVER_NAME, __version__, protocol_cls=Protocol)
        self.client = session.client
        self.documents = Documents(session.client.encoding)
        self.configuration = Configuration(session.params, is_asked=session.client.configuration)
        self.analysis = Analysis(self.documents, self.configuration)
        self.works: dict[int | str, Watched] = {}
        self.indexing: Watched | None = None
        self.rehearsal: asyncio.Task[None] | None = None
        self.settings_files = SettingsFiles(self)
        self.diagnostics = diagnostics.Diagnostics(self)
        for feature in _FEATURES:
            feature.register(self)
        self.protocol.connect(session)

    def refresh(self) -> None:
        """Checks everything anew: settings or files have changed."""
        self.analysis.invalidate()
        self.settings_files.refresh()
        self.diagnostics.refresh()
        if self.client.refresh_hints:
            self.workspace_inlay_hint_refresh(None)
        if self.client.refresh_lenses:
            self.workspace_code_lens_refresh(None)

    def report_server_error(self, error: Exception, source: object) -> None:
        """Logs what went wrong in a handler; the client has its error response, the user needs no popup."""
        if isinstance(error, JsonRpcInternalError) or not isinstance(error, JsonRpcException):
            logger.error("%s", error, exc_info=sys.exc_info()[1] or error)


def run(session: Session) -> int:
    """Serves a client that has been answered; the exit code of the process."""
    gc.set_threshold(*_COLLECTION_THRESHOLDS)
    sys.setswitchinterval(_SWITCH_INTERVAL)
    return asyncio.run(_handle_messages(session))


async def _handle_messages(session: Session) -> int:
    server = PallasServer(session)
    log_to(server)
    loop = asyncio.get_running_loop()
    arrived = asyncio.Event()
    session.inbox.on_arrival(lambda: loop.call_soon_threadsafe(arrived.set))
    process_id = session.params.get("processId")
    if isinstance(process_id, int):
        watch_parent(process_id, lambda: session.inbox.put(None))
    try:
        while True:
            while not session.inbox:
                await arrived.wait()
                arrived.clear()
            message = session.inbox.take()
            if message is None:
                return 0
            if isinstance(message, dict) and message.get("method") == "exit":
                return 0 if server.protocol.is_shut_down else 1
            server.protocol.dispatch(message)
            # Handlers that are coroutines begin now, and see the texts as they are at this message.
            await asyncio.sleep(0)
    finally:
        session.inbox.on_arrival(None)

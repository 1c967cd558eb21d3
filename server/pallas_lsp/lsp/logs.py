"""What the server says about itself: to standard error, and to the client as `window/logMessage`."""

from __future__ import annotations

import asyncio
import logging
import sys
from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from pallas_lsp.lsp.server import PallasServer

SHOW = "show_to_user"
"""The attribute of a log record that has it shown to the user; only for what the user must mend."""

_LEVELS = (
    (logging.ERROR, types.MessageType.Error),
    (logging.WARNING, types.MessageType.Warning),
    (logging.INFO, types.MessageType.Info),
)


def log_to(server: PallasServer) -> None:
    """Sends the records of this package to standard error and to the client. pygls' own are about itself: dropped."""
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    ours = logging.getLogger("pallas_lsp")
    ours.propagate = False
    for handler in (logging.StreamHandler(sys.stderr), _ClientHandler(server)):
        handler.setFormatter(logging.Formatter("pallas-lsp: %(message)s"))
        ours.addHandler(handler)


class _ClientHandler(logging.Handler):
    """Records come from any thread, messages go out from the event loop."""

    def __init__(self, server: PallasServer) -> None:
        super().__init__()
        self._server = server
        self._loop = asyncio.get_running_loop()

    def emit(self, record: logging.LogRecord) -> None:
        kind = next((kind for level, kind in _LEVELS if record.levelno >= level), types.MessageType.Log)
        text = self.format(record)
        if getattr(record, SHOW, False):
            params = types.ShowMessageParams(type=kind, message=text)
            self._loop.call_soon_threadsafe(self._server.window_show_message, params)
        else:
            log = types.LogMessageParams(type=kind, message=text)
            self._loop.call_soon_threadsafe(self._server.window_log_message, log)

"""Work that the user may watch and stop (LSP 3.17, Server Initiated Progress)."""

from __future__ import annotations

import asyncio
import itertools
import threading
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

if TYPE_CHECKING:
    from pallas_lsp.lsp.server import PallasServer


class Cancelled(Exception):
    """The user has stopped the work, or it is of no use any more."""


class Watched:
    """Work that reports how far it is. Nothing is shown of work that never reports.

    Args:
      server: whose client shows it.
      title: what is done.
    """

    def __init__(self, server: PallasServer, title: str) -> None:
        self._server = server
        self._title = title
        self._token = f"pallas-lsp/{next(_numbers)}"
        self._loop = asyncio.get_running_loop()
        self._beginning: asyncio.Task[None] | None = None
        self._is_shown = False
        self._is_over = False
        self._stopped = threading.Event()

    def report(self, message: str) -> None:
        """Tells how far the work is; from any thread.

        Raises:
          Cancelled: it is to be stopped.
        """
        if self._stopped.is_set():
            raise Cancelled
        self._loop.call_soon_threadsafe(self._show, message)

    def stop(self) -> None:
        """Has the next `report` raise."""
        self._stopped.set()

    def end(self) -> None:
        """Takes the work off the screen; called in the event loop after all reports."""
        self._is_over = True
        if self._is_shown:
            self._is_shown = False
            del self._server.works[self._token]
            message = "Stopped" if self._stopped.is_set() else None
            self._server.work_done_progress.end(self._token, types.WorkDoneProgressEnd(message=message))

    def _show(self, message: str) -> None:
        if self._is_shown:
            value = types.WorkDoneProgressReport(cancellable=True, message=message)
            self._server.work_done_progress.report(self._token, value)
        elif self._beginning is None and self._server.client.work_done_progress:
            self._beginning = asyncio.create_task(self._begin(message))

    async def _begin(self, message: str) -> None:
        params = types.WorkDoneProgressCreateParams(self._token)
        try:
            await self._server.window_work_done_progress_create_async(params)
        except JsonRpcException:
            return  # Then nothing may be sent with this token.
        if not self._is_over:
            self._is_shown = True
            self._server.works[self._token] = self
            value = types.WorkDoneProgressBegin(self._title, cancellable=True, message=message)
            self._server.work_done_progress.begin(self._token, value)


_numbers = itertools.count(1)


def register(server: PallasServer) -> None:
    """Adds the handlers to a server."""

    @server.feature(types.WINDOW_WORK_DONE_PROGRESS_CANCEL)
    def cancel(ls: PallasServer, params: types.WorkDoneProgressCancelParams) -> None:
        work = ls.works.get(params.token)
        if work is not None:
            work.stop()

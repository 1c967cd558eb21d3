"""The messages that have arrived and are not handled yet."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

from pallas_lsp.lsp.jsonrpc import CANCEL_REQUEST, Message, MessageId, Refusal, decode, is_id
from pallas_lsp.lsp.transport import Transport


class Inbox:
    """Messages in the order of their arrival, put by threads and taken by one event loop.

    `cancelled` has the ids of the `$/cancelRequest`s that wait in the inbox, so that a request which is cancelled
    before its turn is never begun.
    """

    def __init__(self) -> None:
        self.cancelled: set[MessageId] = set()
        self._messages: deque[Message | Refusal | None] = deque()
        self._wake: Callable[[], object] = _nobody_waits

    def __bool__(self) -> bool:
        """Whether there is something to take."""
        return bool(self._messages)

    def put(self, message: Message | Refusal | None) -> None:
        """Appends a message, or None when the client has hung up. From any thread."""
        if isinstance(message, dict) and message.get("method") == CANCEL_REQUEST:
            params = message.get("params")
            if isinstance(params, dict) and is_id(params.get("id")):
                self.cancelled.add(params["id"])
        self._messages.append(message)
        self._wake()

    def take(self) -> Message | Refusal | None:
        """Removes the first message; there must be one."""
        return self._messages.popleft()

    def on_arrival(self, wake: Callable[[], object] | None) -> None:
        """Has `wake` called, in the thread that puts, after each message that arrives from now on; None for nothing."""
        self._wake = wake or _nobody_waits

    def fill_from(self, transport: Transport) -> None:
        """Starts a thread that puts what a client sends, up to its hanging up."""

        def pump() -> None:
            content = transport.receive()
            while content is not None:
                self.put(decode(content))
                content = transport.receive()
            self.put(None)

        threading.Thread(target=pump, name="reader", daemon=True).start()


def _nobody_waits() -> None:
    pass

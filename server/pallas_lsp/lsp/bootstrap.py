"""The first moments of the server: it answers `initialize` before pygls, which takes half a second, is imported.

What this module imports has no dataclasses: importing them takes as long as all the rest up to the answer.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Mapping
from typing import Any, NamedTuple

from pallas_lsp.lsp.capabilities import Client, client_of, initialize_result
from pallas_lsp.lsp.inbox import Inbox
from pallas_lsp.lsp.jsonrpc import ErrorCode, Refusal, decode, encode, error_response, is_request, response
from pallas_lsp.lsp.transport import Transport, TransportName, UnavailableTransport, connected


class Session(NamedTuple):
    """A client that has been answered.

    Args:
      transport: the way to it.
      inbox: what it has sent since.
      client: what it supports.
      params: its `InitializeParams`, as JSON.
    """

    transport: Transport
    inbox: Inbox
    client: Client
    params: Mapping[str, Any]

    def send(self, content: bytes) -> None:
        """Writes a message to the client. If it has hung up, that is the next thing in the inbox."""
        try:
            self.transport.send(content)
        except OSError:
            self.inbox.put(None)


def serve(transport: TransportName = "stdio", host: str = "127.0.0.1", port: int = 0) -> int:
    """Serves one client until it leaves.

    Args:
      transport: `stdio`, `tcp` or `ws` (WebSocket).
      host: the address to listen on; not for stdio.
      port: the port to listen on, 0 for any free one; the chosen one is written to standard error. Not for stdio.

    Returns:
      The exit code of the process: 1 if the client said `exit` without `shutdown` (LSP 3.17, Exit Notification), 2 if
      the transport cannot be opened, 130 after an interrupt from the keyboard, else 0.
    """
    try:
        with connected(transport, host, port) as way:
            return _serve(way)
    except UnavailableTransport as unavailable:
        print(f"pallas-lsp: error: {unavailable}", file=sys.stderr)
        return 2
    except ConnectionError:
        return 0
    except KeyboardInterrupt:
        return 130


def _serve(transport: Transport) -> int:
    answered = _answer_initialize(transport)
    if isinstance(answered, int):
        return answered
    answered.inbox.fill_from(transport)
    # Classes, functions and code are made by the thousand here and none of them dies.
    gc.disable()
    from pallas_lsp.lsp.server import run

    gc.freeze()
    gc.enable()
    return run(answered)


def _answer_initialize(transport: Transport) -> Session | int:
    """Speaks with the client up to its `initialize`; an exit code if there is none."""
    while (content := transport.receive()) is not None:
        message = decode(content)
        if isinstance(message, Refusal):
            transport.send(encode(message.reply()))
        elif message.get("method") == "exit":
            return 1
        elif is_request(message):
            params = message.get("params")
            if message["method"] != "initialize":
                reply = error_response(message["id"], ErrorCode.SERVER_NOT_INITIALIZED, "`initialize` comes first")
            elif not isinstance(params, dict):
                reply = error_response(message["id"], ErrorCode.INVALID_PARAMS, "`params` must be an object")
            else:
                client = client_of(params)
                transport.send(encode(response(message["id"], initialize_result(client))))
                return Session(transport, Inbox(), client, params)
            transport.send(encode(reply))
    return 0

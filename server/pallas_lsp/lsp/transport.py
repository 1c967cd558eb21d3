"""Ways to a client: standard streams, a TCP connection, a WebSocket. Blocking; one client in the life of a process."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from websockets.sync.server import ServerConnection

TransportName = Literal["stdio", "tcp", "ws"]

_CHUNK = 1 << 16

_MAX_DIGITS = 15
"""A longer Content-Length is none: Python itself refuses to read a number of thousands of digits."""


class Transport(Protocol):
    """Carries the contents of messages; `receive` and `send` may be called from two threads."""

    def receive(self) -> bytes | None:
        """Waits for the next content; None when the client has hung up."""

    def send(self, content: bytes) -> None:
        """Writes one content.

        Raises:
          OSError: the client has hung up.
        """


class UnavailableTransport(Exception):
    """A transport that cannot be opened here; the message is one line for the user."""


class Stream:
    """Contents framed by headers (LSP 3.17, Base Protocol) on a stream of bytes.

    Args:
      read: returns at least one byte and at most the given number; nothing at the end of the stream.
      write: writes all that it is given.
    """

    def __init__(self, read: Callable[[int], bytes], write: Callable[[bytes], object]) -> None:
        self._read = read
        self._write = write
        self._received = bytearray()

    def receive(self) -> bytes | None:
        """Waits for the next content; headers without a usable Content-Length are skipped."""
        length = 0
        while (line := self._line()) is not None:
            name, _, value = (part.strip() for part in line.partition(b":"))
            if name.lower() == b"content-length" and value.isdigit() and len(value) <= _MAX_DIGITS:
                length = int(value)
            elif length and not line.strip():
                return self._exactly(length)
        return None

    def send(self, content: bytes) -> None:
        """Writes one content and its header."""
        self._write(b"Content-Length: %d\r\n\r\n%b" % (len(content), content))

    def _fill(self) -> bool:
        chunk = self._read(_CHUNK)
        self._received += chunk
        return bool(chunk)

    def _line(self) -> bytes | None:
        searched = 0
        while (end := self._received.find(b"\n", searched)) < 0:
            searched = len(self._received)
            if not self._fill():
                return None
        return self._take(end + 1)

    def _exactly(self, length: int) -> bytes | None:
        while len(self._received) < length:
            if not self._fill():
                return None
        return self._take(length)

    def _take(self, length: int) -> bytes:
        taken = bytes(self._received[:length])
        del self._received[:length]
        return taken


class WebSocket:
    """Contents as the messages of a WebSocket, without headers."""

    def __init__(self, connection: ServerConnection) -> None:
        self._connection = connection

    def receive(self) -> bytes | None:
        """Waits for the next content; None when the connection is closed."""
        from websockets.exceptions import ConnectionClosed

        try:
            content = self._connection.recv()
        except ConnectionClosed:
            return None
        return content.encode() if isinstance(content, str) else bytes(content)

    def send(self, content: bytes) -> None:
        """Sends a text message: the content is JSON."""
        from websockets.exceptions import ConnectionClosed

        try:
            self._connection.send(content.decode())
        except ConnectionClosed as closed:
            raise BrokenPipeError(str(closed)) from closed


@contextmanager
def connected(name: TransportName, host: str, port: int) -> Iterator[Transport]:
    """Waits for the client and gives the way to it; `host` and `port` do not matter for stdio.

    Raises:
      UnavailableTransport: the address cannot be listened on, or WebSocket support is not installed.
    """
    with _OPENERS[name](host, port) as transport:
        yield transport


@contextmanager
def _stdio(host: str, port: int) -> Iterator[Transport]:
    """Takes the standard streams away from everybody else, so that a stray `print` cannot break the protocol."""
    source, sink = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    yield Stream(partial(os.read, source), partial(_write_all, sink))


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    try:
        while view:
            view = view[os.write(descriptor, view) :]
    except OSError as error:
        # Windows does not call it a broken pipe.
        raise BrokenPipeError(str(error)) from error


@contextmanager
def _tcp(host: str, port: int) -> Iterator[Transport]:
    import socket

    try:
        listener = socket.create_server((host, port))
    except OSError as error:
        raise UnavailableTransport(f"cannot listen on {host}:{port}: {error.strerror}") from error
    with listener:
        _announce(listener.getsockname())
        connection, _ = listener.accept()
    with connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        yield Stream(partial(_receive_some, connection.recv), connection.sendall)


def _receive_some(receive: Callable[[int], bytes], length: int) -> bytes:
    try:
        return receive(length)
    except ConnectionError:
        return b""


@contextmanager
def _ws(host: str, port: int) -> Iterator[Transport]:
    import queue
    import threading

    try:
        from websockets.sync.server import serve
    except ImportError:
        raise UnavailableTransport("WebSockets need an extra: pip install 'pallas-lsp[ws]'") from None

    clients: queue.SimpleQueue[ServerConnection] = queue.SimpleQueue()
    done = threading.Event()

    def hold(connection: ServerConnection) -> None:
        clients.put(connection)
        done.wait()  # websockets closes a connection when its handler returns

    try:
        listener = serve(hold, host, port, max_size=None)
    except OSError as error:
        raise UnavailableTransport(f"cannot listen on {host}:{port}: {error.strerror}") from error
    with listener:
        _announce(listener.socket.getsockname())
        threading.Thread(target=listener.serve_forever, daemon=True).start()
        try:
            yield WebSocket(clients.get())
        finally:
            done.set()


def _announce(address: tuple[str, int]) -> None:
    print(f"pallas-lsp: listening on {address[0]}:{address[1]}", file=sys.stderr, flush=True)


_OPENERS = {"stdio": _stdio, "tcp": _tcp, "ws": _ws}

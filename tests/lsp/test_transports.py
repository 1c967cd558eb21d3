"""Other ways to the server than standard streams."""

from __future__ import annotations

import contextlib
import json
import re
import socket
import struct
import subprocess
import sys
from typing import Any

import pytest

from lsp.client import DEADLINE, SERVER


def listening(transport: str) -> tuple[subprocess.Popen[str], tuple[str, int]]:
    """Starts a server and reads from its standard error where it listens."""
    process = subprocess.Popen([*SERVER, f"--{transport}", "--port", "0"], stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    found = re.fullmatch(r"pallas-lsp: listening on (.+):(\d+)\n", process.stderr.readline())
    assert found is not None
    return process, (found[1], int(found[2]))


def message(method: str, id: int | None = None, params: Any = None) -> bytes:
    parts = {"jsonrpc": "2.0", "method": method, "params": params, **({} if id is None else {"id": id})}
    return json.dumps(parts).encode()


INITIALIZE = message("initialize", 1, {"capabilities": {}})


def test_a_session_over_tcp() -> None:
    process, address = listening("tcp")
    with socket.create_connection(address, DEADLINE) as connection, connection.makefile("rwb") as stream:
        for content in (INITIALIZE, message("shutdown", 2), message("exit")):
            stream.write(b"Content-Length: %d\r\n\r\n%b" % (len(content), content))
        stream.flush()
        received = stream.read()
    assert b'"serverInfo"' in received
    assert received.endswith(b'{"id": 2, "jsonrpc": "2.0", "result": null}')
    assert process.wait(DEADLINE) == 0


@pytest.mark.parametrize("content", [b"", INITIALIZE])
def test_the_end_of_the_connection_is_the_end(content: bytes) -> None:
    process, address = listening("tcp")
    with socket.create_connection(address, DEADLINE) as connection:
        connection.sendall(b"Content-Length: %d\r\n\r\n%b" % (len(content), content))
    assert process.wait(DEADLINE) == 0
    assert process.stderr is not None
    assert process.stderr.read() == ""


def test_a_session_over_a_web_socket() -> None:
    client = pytest.importorskip("websockets.sync.client")
    process, (host, port) = listening("ws")
    with client.connect(f"ws://{host}:{port}") as connection:
        connection.send(INITIALIZE.decode())
        assert "serverInfo" in json.loads(connection.recv())["result"]
        connection.send(message("shutdown", 2))
        assert json.loads(connection.recv()) == {"jsonrpc": "2.0", "id": 2, "result": None}
        connection.send(message("exit").decode())
        assert process.wait(DEADLINE) == 0


def test_the_end_of_a_web_socket_is_the_end() -> None:
    client = pytest.importorskip("websockets.sync.client")
    process, (host, port) = listening("ws")
    with client.connect(f"ws://{host}:{port}") as connection:
        connection.send(INITIALIZE.decode())
        connection.recv()
    assert process.wait(DEADLINE) == 0


def test_a_missing_library_for_web_sockets_is_one_line_that_says_what_to_install() -> None:
    code = "import sys; sys.modules['websockets'] = None; from pallas_lsp.lsp import serve; sys.exit(serve('ws'))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=DEADLINE)
    assert result.returncode == 2
    assert result.stderr == "pallas-lsp: error: WebSockets need an extra: pip install 'pallas-lsp[ws]'\n"


@pytest.mark.parametrize("transport", ["tcp", "ws"])
def test_an_address_that_is_taken_is_one_line(transport: str) -> None:
    if transport == "ws":
        pytest.importorskip("websockets")
    with socket.create_server(("127.0.0.1", 0)) as other:
        command = [*SERVER, f"--{transport}", "--port", str(other.getsockname()[1])]
        result = subprocess.run(command, capture_output=True, text=True, timeout=DEADLINE)
    assert result.returncode == 2
    assert re.fullmatch(
        r"pallas-lsp: error: cannot listen on 127\.0\.0\.1:\d+: Address already in use.*\n", result.stderr
    )


def test_a_client_that_reads_no_more_ends_the_server() -> None:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(SERVER, **pipes) as process:
        process.stdout.close()
        for content in (message("textDocument/early", 1), INITIALIZE):
            with contextlib.suppress(BrokenPipeError):
                process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(content), content))
                process.stdin.flush()
        assert process.wait(DEADLINE) == 0
        assert process.stderr.read() == b""


def test_a_client_that_reads_no_more_later_ends_the_server() -> None:
    process, address = listening("tcp")
    with socket.create_connection(address, DEADLINE) as connection, connection.makefile("rwb") as stream:
        stream.write(b"Content-Length: %d\r\n\r\n%b" % (len(INITIALIZE), INITIALIZE))
        stream.flush()
        assert stream.readline().startswith(b"Content-Length")
        # A reset, not an orderly end.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    assert process.wait(DEADLINE) == 0
    assert process.stderr.read() == ""

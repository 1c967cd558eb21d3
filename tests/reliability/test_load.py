"""A server under load: many documents, edits faster than checks, cancelled requests, clients that do not read."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.examples import number_of
from tests.lsp.client import SERVER, Client
from tests.oracle.harness import programs

TEXTS = [case.path.read_text("utf-8") for case in programs("cases")][:100]
MAX_MEGABYTES = 150


def megabytes(client: Client) -> int:
    """The memory of a server that is its own."""
    status = Path(f"/proc/{client.process.pid}/status").read_text()
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS"))) // 1024


def uri_of(number: int) -> str:
    return f"file:///load/k{number}.py"


@pytest.mark.timeout(300)
@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_a_hundred_documents_and_edits_faster_than_they_are_checked() -> None:
    with Client(SERVER) as client:
        client.initialize({})
        for number, text in enumerate(TEXTS):
            client.open(uri_of(number), text)
        for number in range(len(TEXTS)):
            client.published(uri_of(number))
        version = 1

        def type_on(edits: int) -> None:
            nonlocal version
            for _ in range(edits):
                version += 1
                client.change(uri_of(0), version, f"{TEXTS[0]}\nx{version % 50} = {version}\n")
            client.published(uri_of(0), version)

        type_on(500)
        before = megabytes(client)
        type_on(number_of(1_500))
        assert megabytes(client) < MAX_MEGABYTES
        assert megabytes(client) < before + 15
        # Of hundreds of versions in a row only few are checked, and only the last one has to be.
        shown = [message for message in client.received if message["method"] == "textDocument/publishDiagnostics"]
        assert len(shown) < version
        assert client.exit() == 0
        assert client.stderr == ""


def test_cancelled_requests_are_answered_once() -> None:
    with Client(SERVER) as client:
        client.initialize({})
        client.open(uri_of(0), TEXTS[0])
        place = {"textDocument": {"uri": uri_of(0)}, "position": {"line": 0, "character": 0}}
        asked = [client.begin("textDocument/hover", place) for _ in range(200)]
        for number in asked:
            client.notify("$/cancelRequest", {"id": number})
        codes = {client.response(number).get("error", {}).get("code") for number in asked}
        assert codes <= {None, -32800}
        assert client.exit() == 0


def test_a_client_that_stops_reading_gets_all_of_it_later() -> None:
    """The pipe is full after a part of the answers: the server waits, and takes what is sent meanwhile."""
    with Client((sys.executable, "-c", SLOW, *SERVER)) as client:
        client.initialize({})
        client.open(uri_of(0), TEXTS[0])
        place = {"textDocument": {"uri": uri_of(0)}, "position": {"line": 0, "character": 0}}
        asked = [client.begin("textDocument/hover", place) for _ in range(3_000)]
        assert all("result" in client.response(number) for number in asked)
        client.request("shutdown")
        client.notify("exit")


SLOW = """\
import os, subprocess, sys, threading
server = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
sent = threading.Event()
count = 0
def forward():
    first = os.read(server.stdout.fileno(), 1 << 16)
    os.write(1, first)
    sent.wait()  # nothing is read until all has been sent
    while data := os.read(server.stdout.fileno(), 1 << 16):
        os.write(1, data)
thread = threading.Thread(target=forward)
thread.start()
while data := os.read(0, 1 << 16):
    count += data.count(b"textDocument/hover")
    server.stdin.write(data)
    server.stdin.flush()
    if count >= 2_900:
        sent.set()
sent.set()
server.stdin.close()
thread.join()
sys.exit(server.wait())
"""

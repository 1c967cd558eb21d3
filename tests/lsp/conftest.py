"""Servers for the tests of the protocol: a few that are shared, and new ones for tests that need a start or an end."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

import pytest

from lsp.client import NEOVIM, SERVER, VSCODE, Client, Json
from pallas_lsp.text import PositionEncoding

SCRIPTED_SERVER = (sys.executable, str(Path(__file__).with_name("scripted_server.py")))


@pytest.fixture
def fresh() -> Iterator[Client]:
    """A server that nobody has spoken with yet."""
    with Client(SERVER) as client:
        yield client


@pytest.fixture
def fresh_scripted() -> Iterator[Client]:
    """A scripted server that nobody has spoken with yet."""
    with Client(SCRIPTED_SERVER) as client:
        yield client


@pytest.fixture(scope="session")
def shared() -> Iterator[Callable[[str, Json], Client]]:
    """Gives a scripted server for a client with these capabilities; one for each name in all tests."""
    clients: dict[str, Client] = {}

    def client(name: str, capabilities: Json) -> Client:
        if name not in clients:
            clients[name] = Client(SCRIPTED_SERVER)
            clients[name].initialize(capabilities)
        return clients[name]

    yield client
    for started in clients.values():
        started.kill()


@pytest.fixture
def vscode(shared: Callable[[str, Json], Client]) -> Iterator[Client]:
    """A scripted server whose client can do what VS Code can; it asks for diagnostics."""
    client = shared("vscode", VSCODE)
    yield client
    client.tidy()


@pytest.fixture
def neovim(shared: Callable[[str, Json], Client]) -> Iterator[Client]:
    """A scripted server whose client can do what Neovim can, but for asking for diagnostics."""
    client = shared("neovim", NEOVIM)
    yield client
    client.tidy()


@pytest.fixture
def simple(shared: Callable[[str, Json], Client]) -> Iterator[Client]:
    """A scripted server whose client supports nothing that is optional."""
    client = shared("simple", {})
    yield client
    client.tidy()


@pytest.fixture(params=PositionEncoding, ids=lambda encoding: encoding.value)
def encoded(
    request: pytest.FixtureRequest, shared: Callable[[str, Json], Client]
) -> Iterator[tuple[Client, PositionEncoding]]:
    """A scripted server for each encoding of columns, and that encoding."""
    encoding: PositionEncoding = request.param
    client = shared(encoding.value, {"general": {"positionEncodings": [encoding.value]}})
    yield client, encoding
    client.tidy()


class Pipe:
    """A named pipe that the scripted check reads: it waits until `release`.

    Opening the one end of a named pipe waits for the other, so nobody has to sleep.
    """

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self.path = path
        self._writer: BinaryIO | None = None

    def wait_for_reader(self) -> None:
        """Waits until the check has come to its `wait`."""
        self._writer = self.path.open("wb")

    def release(self) -> None:
        """Lets the check go on."""
        if self._writer is None:
            self.wait_for_reader()
        assert self._writer is not None
        self._writer.close()
        self._writer = None


@pytest.fixture
def pipe(tmp_path: Path) -> Pipe:
    """A pipe to make the scripted check wait."""
    return Pipe(tmp_path / "pipe")

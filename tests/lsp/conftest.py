"""Servers for the tests of the protocol: one for each module, and new ones for tests that end theirs."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import pytest

from lsp.client import NEOVIM, SERVER, VSCODE, Client

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


@pytest.fixture(scope="module")
def vscode() -> Iterator[Client]:
    """A scripted server whose client can do what VS Code can; it asks for diagnostics."""
    with Client(SCRIPTED_SERVER) as client:
        client.initialize(VSCODE)
        yield client


@pytest.fixture(scope="module")
def neovim() -> Iterator[Client]:
    """A scripted server whose client can do what Neovim can, but for asking for diagnostics."""
    with Client(SCRIPTED_SERVER) as client:
        client.initialize(NEOVIM)
        yield client


@pytest.fixture(scope="module")
def simple() -> Iterator[Client]:
    """A scripted server whose client supports nothing that is optional."""
    with Client(SCRIPTED_SERVER) as client:
        client.initialize({})
        yield client


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

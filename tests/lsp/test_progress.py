"""Looking through a large workspace: the user sees it, can stop it, and does not wait for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lsp.client import Client
from lsp.conftest import Pipe

WATCHING = {"window": {"workDoneProgress": True}}
URI = "file:///a.py"


@pytest.fixture
def folder(tmp_path: Path, pipe: Pipe) -> Path:
    """Ten files, then one at which the search waits, then twenty more."""
    folder = tmp_path / "workspace"
    folder.mkdir()
    for number in range(10):
        (folder / f"a{number}.py").write_text("")
    (folder / "b_wait.py").write_text(str(pipe.path))
    for number in range(20):
        (folder / f"c{number:02}.py").write_text("")
    return folder


def progress(client: Client, kind: str) -> Any:
    return client.notification("$/progress", lambda params: params["value"]["kind"] == kind)


def test_the_search_is_shown_and_documents_do_not_wait_for_it(fresh_scripted: Client, folder: Path, pipe: Pipe) -> None:
    client = fresh_scripted
    client.initialize(WATCHING, folders=[folder])
    begin = progress(client, "begin")
    assert begin["value"] == {
        "kind": "begin",
        "title": "Looking for Pallas kernels",
        "cancellable": True,
        "message": "10 files",
    }
    assert [request["params"] for request in client.requested] == [{"token": begin["token"]}]
    client.open(URI, "return 1  # PAL001\n")
    assert [found["code"] for found in client.published(URI)] == ["PAL001"]
    pipe.release()
    assert progress(client, "report")["token"] == begin["token"]
    assert progress(client, "end")["value"] == {"kind": "end"}


def test_the_user_can_stop_the_search(fresh_scripted: Client, folder: Path, pipe: Pipe) -> None:
    client = fresh_scripted
    client.initialize(WATCHING, folders=[folder])
    token = progress(client, "begin")["token"]
    client.notify("window/workDoneProgress/cancel", {"token": token})
    client.notify("window/workDoneProgress/cancel", {"token": "of somebody else"})
    client.take_all()
    pipe.release()
    assert progress(client, "end")["value"]["message"] == "Stopped"
    assert "was stopped" in client.notification("window/logMessage")["message"]


def test_a_client_without_progress_is_shown_nothing(fresh_scripted: Client, folder: Path, pipe: Pipe) -> None:
    client = fresh_scripted
    client.initialize({}, folders=[folder])
    pipe.release()
    client.open(URI, "return 1  # PAL001\n")
    client.published(URI)
    assert client.requested == []
    assert client.exit() == 0
    assert not any(message["method"] == "$/progress" for message in client.received)


def test_a_session_ends_while_the_search_runs(fresh_scripted: Client, folder: Path) -> None:
    client = fresh_scripted
    client.initialize(WATCHING, folders=[folder])
    progress(client, "begin")
    assert client.exit() == 0

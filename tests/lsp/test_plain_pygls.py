"""The faults of pygls that our layer over it mends: each session goes wrong with a plain pygls server, and right here.

A session is all that a client sends; what the server has sent, and its exit code, is looked at when it has ended. That
a process ends while it is busy (the tenth fault) is in `test_protocol`.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from lsp.client import DEADLINE, PACKAGE_ROOT, SERVER, Json

PLAIN = (sys.executable, str(Path(__file__).with_name("plain_server.py")))
URI = "file:///work/a.py"
CELL = "vscode-notebook-cell:/work/n.ipynb#W0sZmlsZQ%3D%3D"
INFORMATION = {"command": "pallas-lsp.debugInformation"}


class Outcome(NamedTuple):
    """What came of a session."""

    messages: list[Json]
    exit_code: int

    def error(self, id: int | None) -> int | None:
        """The code of the error response to a request; None if there is no response, or no error."""
        found = [message for message in self.messages if "method" not in message and message.get("id") == id]
        return found[0]["error"]["code"] if found and "error" in found[0] else None

    def result(self, id: int) -> Any:
        """The result of a request."""
        (found,) = [message for message in self.messages if "method" not in message and message.get("id") == id]
        return found["result"]

    def has_text(self, text: str, uri: str = URI) -> bool:
        """Whether the server had this text at request 9."""
        digests = {document["uri"]: document["sha256"] for document in self.result(9)["documents"]}
        return bool(digests[uri] == hashlib.sha256(text.encode()).hexdigest())

    @property
    def popups(self) -> list[Json]:
        """What was shown to the user."""
        return [message for message in self.messages if message.get("method") == "window/showMessage"]


def framed(content: bytes, header: str = "Content-Length") -> bytes:
    return f"{header}: {len(content)}\r\n\r\n".encode() + content


def message(method: str, params: Any = None, id: int | None = None, header: str = "Content-Length") -> bytes:
    body = {"jsonrpc": "2.0", "method": method, "params": params, **({} if id is None else {"id": id})}
    return framed(json.dumps(body).encode(), header)


INITIALIZE = message("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, 1) + message(
    "initialized", {}
)
END = message("shutdown", None, 100) + message("exit")


def opened(text: str) -> bytes:
    return message(
        "textDocument/didOpen", {"textDocument": {"uri": URI, "languageId": "python", "version": 1, "text": text}}
    )


def replaced(start: tuple[int, int], end: tuple[int, int], text: str, uri: str = URI) -> bytes:
    places = [{"line": line, "character": character} for line, character in (start, end)]
    change = {"range": {"start": places[0], "end": places[1]}, "text": text}
    return message("textDocument/didChange", {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [change]})


def edited(text: str, start: tuple[int, int], end: tuple[int, int], inserted: str) -> bytes:
    edit = opened(text) + replaced(start, end, inserted)
    return INITIALIZE + edit + message("workspace/executeCommand", INFORMATION, 9) + END


NOTEBOOK = message(
    "notebookDocument/didOpen",
    {
        "notebookDocument": {
            "uri": "file:///work/n.ipynb",
            "notebookType": "jupyter-notebook",
            "version": 1,
            "cells": [{"kind": 2, "document": CELL}],
        },
        "cellTextDocuments": [{"uri": CELL, "languageId": "python", "version": 1, "text": "x = 1"}],
    },
)
ACTIONS = {
    "textDocument": {"uri": "file:///no/such.py"},
    "range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}},
    "context": {"diagnostics": []},
}
UNKNOWN = replaced((0, 0), (0, 0), "x", "file:///never/opened.py")

Session = tuple[bytes, Callable[[Outcome], bool]]

SESSIONS: dict[str, Session] = {
    "a form feed ends no line": (
        edited("a\x0cb\nc\n", (1, 0), (1, 1), "Z"),
        lambda outcome: outcome.has_text("a\x0cb\nZ\n"),
    ),
    "U+2028 ends no line": (
        edited("a = '\u2028'\nc\n", (1, 0), (1, 1), "Z"),
        lambda outcome: outcome.has_text("a = '\u2028'\nZ\n"),
    ),
    "a column past the end of the text is its end": (
        edited("abc", (0, 10), (0, 10), "X"),
        lambda outcome: outcome.has_text("abcX"),
    ),
    "a column past the end of a line is its end": (
        edited("abc\ndef", (0, 4), (0, 4), "X"),
        lambda outcome: outcome.has_text("abcX\ndef"),
    ),
    "a reversed range is the range": (
        edited("abcdef", (0, 3), (0, 1), "X"),
        lambda outcome: outcome.has_text("aXdef"),
    ),
    "malformed parameters are answered": (
        INITIALIZE + message("textDocument/codeAction", {"textDocument": 5}, 2) + END,
        lambda outcome: outcome.error(2) == -32602,
    ),
    "what is not JSON is answered": (
        INITIALIZE + framed(b"{") + END,
        lambda outcome: outcome.error(None) == -32700 and not outcome.popups,
    ),
    "a batch is answered": (
        INITIALIZE + framed(b"[]") + END,
        lambda outcome: outcome.error(None) == -32600 and not outcome.popups,
    ),
    "a header may be in lower case": (
        INITIALIZE + message("workspace/executeCommand", INFORMATION, 9, header="content-length") + END,
        lambda outcome: outcome.result(9)["documents"] == [],
    ),
    "after shutdown requests are refused": (
        INITIALIZE
        + message("shutdown", None, 2)
        + message("workspace/executeCommand", INFORMATION, 9)
        + message("exit"),
        lambda outcome: outcome.error(9) == -32600,
    ),
    "exit without shutdown is an error": (INITIALIZE + message("exit"), lambda outcome: outcome.exit_code == 1),
    "before initialize requests are refused": (
        message("workspace/executeCommand", INFORMATION, 9) + INITIALIZE + END,
        lambda outcome: outcome.error(9) == -32002,
    ),
    "a change of what is not open is no popup": (INITIALIZE + UNKNOWN + END, lambda outcome: not outcome.popups),
    "a cell is found under the URI that the client gave it": (
        INITIALIZE + NOTEBOOK + message("workspace/executeCommand", INFORMATION, 9) + END,
        lambda outcome: outcome.has_text("x = 1", CELL),
    ),
    "a file that is not open has no actions": (
        INITIALIZE + message("textDocument/codeAction", ACTIONS, 2) + END,
        lambda outcome: outcome.result(2) == [],
    ),
}


def played(command: tuple[str, ...], session: bytes) -> Outcome:
    """Sends a session to a server, and takes what there is when it has ended."""
    environment = {**os.environ, "PYTHONPATH": os.fspath(PACKAGE_ROOT)}
    done = subprocess.run(command, input=session, capture_output=True, env=environment, timeout=DEADLINE)
    messages, rest = [], done.stdout
    while rest:
        header, _, rest = rest.partition(b"\r\n\r\n")
        length = int(next(line for line in header.split(b"\r\n") if line.startswith(b"Content-Length")).split(b":")[1])
        messages.append(json.loads(rest[:length]))
        rest = rest[length:]
    return Outcome(messages, done.returncode)


def goes_right(command: tuple[str, ...], session: Session) -> bool:
    sent, is_right = session
    try:
        return is_right(played(command, sent))
    except (KeyError, ValueError):  # no answer, or an error in its place
        return False


@pytest.mark.parametrize("session", SESSIONS.values(), ids=SESSIONS)
def test_it_goes_right_here(session: Session) -> None:
    assert goes_right(SERVER, session)


@pytest.mark.parametrize("session", SESSIONS.values(), ids=SESSIONS)
def test_it_goes_wrong_with_plain_pygls(session: Session) -> None:
    # When this fails, pygls has mended the fault: what we do about it may go.
    assert not goes_right(PLAIN, session)


def test_a_plain_server_does_work() -> None:
    assert goes_right(PLAIN, (edited("abc", (0, 1), (0, 2), "X"), lambda outcome: outcome.has_text("aXc")))

"""A language client for measuring: it writes, reads and waits in one thread, so that nothing else takes time."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

Json = dict[str, Any]

_CAPABILITIES: Json = {
    "general": {"positionEncodings": ["utf-8", "utf-16"]},
    "workspace": {"workspaceFolders": True, "configuration": True},
    "window": {"workDoneProgress": True},
    "textDocument": {
        "publishDiagnostics": {"versionSupport": True, "relatedInformation": True},
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "source.fixAll"]}},
            "dataSupport": True,
            "resolveSupport": {"properties": ["edit"]},
            "isPreferredSupport": True,
        },
    },
}
_PULLS: Json = {"dynamicRegistration": False, "relatedDocumentSupport": False}


class Client:
    """One server process.

    Args:
      command: that starts the server.
      pulls: whether it is asked for diagnostics; else it publishes them.
      environment: variables besides those of this process.
    """

    def __init__(self, command: Sequence[str], *, pulls: bool, environment: Mapping[str, str] | None = None) -> None:
        self.started = time.perf_counter()
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        self._process = subprocess.Popen(command, env={**os.environ, **(environment or {})}, **pipes)  # type: ignore[call-overload]
        self._next_id = 0
        self._pulls = pulls
        self.process_id: int = self._process.pid

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()

    def initialize(self, root: str) -> Json:
        """Does the handshake, with `root` as the only folder."""
        capabilities = dict(_CAPABILITIES)
        if self._pulls:
            capabilities["textDocument"] = {**capabilities["textDocument"], "diagnostic": _PULLS}
        folder = {"uri": "file://" + root, "name": "bench"}
        parameters = {"processId": os.getpid(), "rootUri": folder["uri"], "workspaceFolders": [folder]}
        result: Json = self.request("initialize", {**parameters, "capabilities": capabilities})
        self.notify("initialized", {})
        return result

    def open(self, uri: str, text: str) -> None:
        """Opens a Python document as its version 1."""
        self.notify(
            "textDocument/didOpen",
            {"textDocument": {"uri": uri, "languageId": "python", "version": 1, "text": text}},
        )

    def insert(self, uri: str, version: int, line: int, character: int, new: str, width: int = 0) -> None:
        """Replaces `width` characters of a line by text."""
        span = {"start": {"line": line, "character": character}, "end": {"line": line, "character": character + width}}
        change = {"range": span, "text": new}
        identifier = {"uri": uri, "version": version}
        self.notify("textDocument/didChange", {"textDocument": identifier, "contentChanges": [change]})

    def diagnostics(self, uri: str, version: int) -> list[Json]:
        """Waits for the diagnostics of a version of a document."""
        if self._pulls:
            report: Json = self.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
            items: list[Json] = report.get("items", [])
            return items

        def arrived(message: Json) -> bool:
            parameters = message.get("params", {})
            published = message.get("method") == "textDocument/publishDiagnostics" and parameters["uri"] == uri
            return published and parameters.get("version", version) == version

        found: list[Json] = self._wait(arrived)["params"]["diagnostics"]
        return found

    def request(self, method: str, parameters: object) -> Any:
        """Sends a request and waits for its result."""
        self._next_id += 1
        number = self._next_id
        self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": parameters})
        answer = self._wait(lambda message: message.get("id") == number and "method" not in message)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def notify(self, method: str, parameters: object) -> None:
        """Sends a notification."""
        self._send({"jsonrpc": "2.0", "method": method, "params": parameters})

    def memory(self) -> float:
        """The resident memory of the server in MB; Linux only."""
        with Path(f"/proc/{self.process_id}/status").open(encoding="ascii") as status:
            kilobytes = next(line.split()[1] for line in status if line.startswith("VmRSS"))
        return int(kilobytes) / 1024

    def _send(self, message: Json) -> None:
        content = json.dumps(message).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(content), content))
        self._process.stdin.flush()

    def _wait(self, is_wanted: Callable[[Json], bool]) -> Json:
        while True:
            message = self._receive()
            if "method" in message and "id" in message:
                self._answer(message)
            if is_wanted(message):
                return message

    def _receive(self) -> Json:
        stream = self._process.stdout
        assert stream is not None
        length = 0
        while line := stream.readline().strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        if not length:
            raise RuntimeError("the server has ended")
        message: Json = json.loads(stream.read(length))
        return message

    def _answer(self, message: Json) -> None:
        asked = message.get("params") or {}
        result = [None for _ in asked["items"]] if message["method"] == "workspace/configuration" else None
        self._send({"jsonrpc": "2.0", "id": message["id"], "result": result})

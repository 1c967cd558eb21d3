"""A small language client over pipes, for tests: it speaks bytes, and nothing that it receives gets lost.

Only the standard library. Waiting has a deadline, and is for a message or for the end of the process, never for time.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

Json = dict[str, Any]

DEADLINE = 30.0
SERVER = (sys.executable, "-m", "pallas_lsp", "server")
PACKAGE_ROOT = Path(__file__).resolve().parents[2] / "server"

# What the editors really send, reduced to what the server looks at.
VSCODE: Json = {
    "general": {"positionEncodings": ["utf-16"]},
    "workspace": {
        "applyEdit": True,
        "configuration": True,
        "workspaceFolders": True,
        "didChangeConfiguration": {"dynamicRegistration": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True},
        "diagnostics": {"refreshSupport": True},
        "workspaceEdit": {"documentChanges": True, "changeAnnotationSupport": {"groupsOnLabel": True}},
    },
    "textDocument": {
        "publishDiagnostics": {
            "relatedInformation": True,
            "codeDescriptionSupport": True,
            "dataSupport": True,
            "versionSupport": False,
            "tagSupport": {"valueSet": [1, 2]},
        },
        "diagnostic": {"dynamicRegistration": True, "relatedDocumentSupport": False},
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["", "quickfix", "source"]}},
            "isPreferredSupport": True,
            "disabledSupport": True,
            "dataSupport": True,
            "resolveSupport": {"properties": ["edit", "command"]},
            "honorsChangeAnnotations": True,
        },
    },
    "notebookDocument": {"synchronization": {"dynamicRegistration": True}},
}
NEOVIM: Json = {
    "general": {"positionEncodings": ["utf-8", "utf-16", "utf-32"]},
    "workspace": {
        "applyEdit": True,
        "configuration": True,
        "workspaceFolders": True,
        "didChangeConfiguration": {"dynamicRegistration": False},
        "didChangeWatchedFiles": {"dynamicRegistration": False},
        "workspaceEdit": {"resourceOperations": ["rename", "create", "delete"]},
    },
    "textDocument": {
        "publishDiagnostics": {"relatedInformation": True, "dataSupport": True, "tagSupport": {"valueSet": [1, 2]}},
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["", "quickfix", "source"]}},
            "isPreferredSupport": True,
            "dataSupport": True,
            "resolveSupport": {"properties": ["edit", "command"]},
        },
    },
}


ANSWERS: dict[str, Callable[[Any], Any]] = {
    "workspace/configuration": lambda params: [None] * len(params["items"]),
}


class ResponseError(Exception):
    """The server answered a request with an error."""

    def __init__(self, error: Json) -> None:
        super().__init__(f"{error['code']}: {error['message']}")
        self.code: int = error["code"]


class Client:
    """One server process and the client's end of its pipes.

    `received` has the notifications of the server that nobody has waited for yet, `requested` all of its requests. They
    are answered by `answers`, a function of the parameters for each method; the others get null.
    """

    def __init__(self, command: Sequence[str] = SERVER, *, cwd: str | Path | None = None) -> None:
        environment = {**os.environ, "PYTHONPATH": os.fspath(PACKAGE_ROOT)}
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        self.process = subprocess.Popen(command, cwd=cwd, env=environment, **pipes)
        self.answers = dict(ANSWERS)
        self.received: list[Json] = []
        self.requested: list[Json] = []
        self.stderr = ""
        self.stdout_rest = b""
        self._writing = threading.Lock()
        self._errors = threading.Condition()
        self._ids = iter(range(1, 1 << 30))
        self._arrived: queue.SimpleQueue[Json | None] = queue.SimpleQueue()
        self._responses: dict[Any, Json] = {}
        self._threads = [threading.Thread(target=target, daemon=True) for target in (self._read, self._read_errors)]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    # Sending.

    def send_bytes(self, data: bytes) -> None:
        """Writes raw bytes to the server."""
        assert self.process.stdin is not None
        with self._writing:
            self.process.stdin.write(data)
            self.process.stdin.flush()

    def send_content(self, content: bytes) -> None:
        """Writes one content with its header."""
        self.send_bytes(b"Content-Length: %d\r\n\r\n%b" % (len(content), content))

    def send(self, message: Any) -> None:
        """Writes one message, whatever it is."""
        self.send_content(json.dumps(message).encode())

    def notify(self, method: str, params: Any = None) -> None:
        """Sends a notification."""
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def begin(self, method: str, params: Any = None) -> int:
        """Sends a request; its id."""
        id = next(self._ids)
        self.send({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
        return id

    def request(self, method: str, params: Any = None) -> Any:
        """Sends a request and waits for its result; raises ResponseError."""
        return self.finish(self.begin(method, params))

    def finish(self, id: Any) -> Any:
        """Waits for the result of a request; raises ResponseError."""
        response = self.response(id)
        if "error" in response:
            raise ResponseError(response["error"])
        return response["result"]

    # Receiving.

    def response(self, id: Any) -> Json:
        """Waits for the response with an id."""
        while id not in self._responses:
            self._take()
        return self._responses.pop(id)

    def notification(self, method: str, wanted: Callable[[Any], bool] = lambda params: True) -> Any:
        """Waits for a notification, or finds it among those that have come; removes it and gives its parameters."""
        seen = 0
        while True:
            for message in self.received[seen:]:
                if message["method"] == method and wanted(message.get("params")):
                    self.received.remove(message)
                    return message.get("params")
            seen = len(self.received)
            self._take()

    def take_all(self) -> None:
        """Takes what has arrived, and waits for nothing."""
        self.request("workspace/executeCommand", {"command": "pallas-lsp.debugInformation"})

    def wait_for_error(self, text: str) -> None:
        """Waits until the server has written a text to its standard error."""
        with self._errors:
            if not self._errors.wait_for(lambda: text in self.stderr, DEADLINE):
                raise TimeoutError(f"{text!r} is not on standard error: {self.stderr}")

    def wait_for_end(self) -> int:
        """Waits for the end of the process; its exit code."""
        code = self.process.wait(DEADLINE)
        for thread in self._threads:
            thread.join(DEADLINE)
        return code

    def kill(self) -> None:
        """Ends the process, whatever state it is in."""
        if self.process.poll() is None:
            self.process.kill()
        self.wait_for_end()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert pipe is not None
            with contextlib.suppress(BrokenPipeError):
                pipe.close()

    # What every client does.

    def initialize(
        self, capabilities: Mapping[str, Any] | None = None, *, options: Any = None, folders: Sequence[Path] = ()
    ) -> Json:
        """Initializes the server; its `InitializeResult`."""
        result: Json = self.request(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": folders[0].as_uri() if folders else None,
                "workspaceFolders": [{"uri": folder.as_uri(), "name": folder.name} for folder in folders] or None,
                "capabilities": capabilities or {},
                "initializationOptions": options,
            },
        )
        self.notify("initialized", {})
        return result

    def open(self, uri: str, text: str, *, version: int = 1, language: str = "python") -> None:
        """Opens a document."""
        item = {"uri": uri, "languageId": language, "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def change(self, uri: str, version: int, *changes: Json | str) -> None:
        """Changes a document: by whole texts, or by LSP's content changes."""
        self.notify(
            "textDocument/didChange",
            {
                "textDocument": {"uri": uri, "version": version},
                "contentChanges": [{"text": change} if isinstance(change, str) else change for change in changes],
            },
        )

    def close(self, uri: str) -> None:
        """Closes a document."""
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def published(self, uri: str, version: int | None = 1) -> list[Json]:
        """Waits for the diagnostics of a version that are published; None for those that take others back."""
        params = self.notification(
            "textDocument/publishDiagnostics",
            lambda params: params["uri"] == uri and params.get("version") == version,
        )
        diagnostics: list[Json] = params["diagnostics"]
        return diagnostics

    def code_actions(
        self, uri: str, range: Json, *, diagnostics: Sequence[Json] = (), only: Sequence[str] | None = None
    ) -> list[Json]:
        """Asks for code actions."""
        context: Json = {"diagnostics": list(diagnostics)}
        if only is not None:
            context["only"] = list(only)
        params = {"textDocument": {"uri": uri}, "range": range, "context": context}
        actions: list[Json] = self.request("textDocument/codeAction", params)
        return actions

    def command(self, command: str, *arguments: Any) -> Any:
        """Executes a command."""
        return self.request("workspace/executeCommand", {"command": command, "arguments": list(arguments)})

    def documents(self) -> dict[str, Json]:
        """What the server says about the documents that it has, by URI."""
        return {document["uri"]: document for document in self.command("pallas-lsp.debugInformation")["documents"]}

    def tidy(self) -> None:
        """Closes all documents, and forgets what was received: the next test finds the server as after its start."""
        for uri in self.documents():
            self.close(uri)
        self.take_all()
        popups = [message for message in self.received if message["method"] == "window/showMessage"]
        assert popups == [], "nothing that a client sends is worth a popup to its user"
        self.received.clear()
        self.requested.clear()
        self.answers = dict(ANSWERS)

    def exit(self) -> int:
        """Ends the session by the rules; the exit code of the process."""
        self.request("shutdown")
        self.notify("exit")
        return self.wait_for_end()

    # The pipes.

    def _take(self) -> None:
        try:
            message = self._arrived.get(timeout=DEADLINE)
        except queue.Empty:
            raise TimeoutError(f"nothing came; standard error: {self.stderr}") from None
        if message is None:
            self._arrived.put(None)
            raise EOFError(f"the server has ended; standard error: {self.stderr}")
        if "method" in message:
            self.received.append(message)
        else:
            self._responses[message["id"]] = message

    def _read(self) -> None:
        stdout = self.process.stdout
        assert stdout is not None
        while line := stdout.readline():
            if not line.lower().startswith(b"content-length:"):
                self.stdout_rest += line
                continue
            length = int(line.split(b":")[1])
            self.stdout_rest += stdout.readline().strip()
            message = json.loads(stdout.read(length))
            if "method" in message and "id" in message:
                self._answer(message)
            else:
                self._arrived.put(message)
        self._arrived.put(None)

    def _answer(self, request: Json) -> None:
        # Here, and not when somebody waits: an editor answers at once.
        answer = self.answers.get(request["method"], lambda params: None)(request.get("params"))
        with contextlib.suppress(OSError, ValueError):
            self.send({"jsonrpc": "2.0", "id": request["id"], "result": answer})
        self.requested.append(request)

    def _read_errors(self) -> None:
        stderr = self.process.stderr
        assert stderr is not None
        for line in stderr:
            with self._errors:
                self.stderr += line.decode(errors="replace")
                self._errors.notify_all()

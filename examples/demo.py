"""What an editor does with the language server, on paper: `make demo`.

Starts the real server, opens a file of kernels that return their results, prints the diagnostics, applies the quick
fixes one by one, shows what changed, and runs the file before and after under JAX in interpret mode. The file itself is
not touched. The exit code is 0 only if everything went as announced.

  python examples/demo.py [FILE]
"""

from __future__ import annotations

import difflib
import json
import os
import queue
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

EXAMPLE = Path(__file__).with_name("returning_kernels.py")
JAX_ERROR = re.compile(r"^\w+Error: .*$", re.MULTILINE)
SECONDS = 60
"""How long the server may stay silent before the demo gives up."""


class Disappointment(Exception):
    """Something did not go as announced."""


class Client:
    """A minimal editor: one server over stdio, one open document."""

    def __init__(self, path: Path) -> None:
        self.uri = path.as_uri()
        self.text = path.read_text(encoding="utf-8")
        self.version = 1
        self.last_id = 0
        command = [sys.executable, "-m", "pallas_lsp", "server"]
        self.server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self.server.stdin is not None
        assert self.server.stdout is not None
        self.stdin = self.server.stdin
        self.inbox: queue.Queue[dict[str, Any] | None] = queue.Queue()
        threading.Thread(target=self.read, args=(self.server.stdout,), daemon=True).start()

    def read(self, stdout: BinaryIO) -> None:
        """Puts what the server sends into the inbox, and None when it is gone."""
        while header := stdout.readline():
            length = int(header.split(b":")[1]) if header.lower().startswith(b"content-length") else None
            while stdout.readline() not in (b"\r\n", b""):
                pass
            if length is not None:
                self.inbox.put(json.loads(stdout.read(length)))
        self.inbox.put(None)

    def send(self, **message: Any) -> None:
        """Writes one message with its header."""
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.stdin.flush()

    def messages(self) -> Iterator[dict[str, Any]]:
        """What the server says; its own requests are answered with nothing on the way."""
        while True:
            try:
                message = self.inbox.get(timeout=SECONDS)
            except queue.Empty:
                raise Disappointment(f"the server said nothing for {SECONDS} seconds") from None
            if message is None:
                raise Disappointment("the server is gone")
            if "method" in message and "id" in message:
                wanted = message["params"].get("items") if message["method"] == "workspace/configuration" else None
                self.send(id=message["id"], result=None if wanted is None else [None] * len(wanted))
            else:
                yield message

    def request(self, method: str, params: Any = None) -> Any:
        """Sends a request and waits for its result."""
        self.last_id += 1
        self.send(id=self.last_id, method=method, params=params)
        answer = next(message for message in self.messages() if message.get("id") == self.last_id)
        if "error" in answer:
            raise Disappointment(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def initialize(self) -> str:
        """Introduces itself as a plain editor and returns the server's name and version."""
        text_document = {
            "publishDiagnostics": {"relatedInformation": True, "versionSupport": True},
            "codeAction": {
                "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}},
                "isPreferredSupport": True,
                "dataSupport": True,
                "resolveSupport": {"properties": ["edit"]},
            },
        }
        capabilities = {"textDocument": text_document}
        info = self.request("initialize", {"processId": os.getpid(), "rootUri": None, "capabilities": capabilities})
        self.send(method="initialized", params={})
        return " ".join(info["serverInfo"].values())

    def diagnostics(self) -> list[dict[str, Any]]:
        """Waits for the diagnostics of the document as it is now."""
        for message in self.messages():
            if message.get("method") == "textDocument/publishDiagnostics":
                params = message["params"]
                if params["uri"] == self.uri and params.get("version") == self.version:
                    return sorted(params["diagnostics"], key=lambda d: (place(d), d["code"]))
        raise AssertionError("unreachable: messages() ends with an exception")

    def open(self) -> list[dict[str, Any]]:
        """Opens the document and returns its diagnostics."""
        document = {"uri": self.uri, "languageId": "python", "version": self.version, "text": self.text}
        self.send(method="textDocument/didOpen", params={"textDocument": document})
        return self.diagnostics()

    def quick_fix(self, diagnostic: dict[str, Any]) -> dict[str, Any]:
        """The preferred quick fix of a diagnostic, with its edit."""
        actions = self.request(
            "textDocument/codeAction",
            {
                "textDocument": {"uri": self.uri},
                "range": diagnostic["range"],
                "context": {"diagnostics": [diagnostic], "only": ["quickfix"]},
            },
        )
        for action in actions or []:
            if action.get("isPreferred") and diagnostic in action.get("diagnostics", []):
                return action if "edit" in action else self.request("codeAction/resolve", action)
        raise Disappointment(f"no preferred quick fix for line {place(diagnostic)[0] + 1}: {diagnostic['message']}")

    def apply(self, action: dict[str, Any]) -> list[dict[str, Any]]:
        """Applies the edit of an action to the document, tells the server, and returns the new diagnostics."""
        edit = action["edit"]
        edits = [*edit.get("changes", {}).get(self.uri, [])]
        for change in edit.get("documentChanges", []):
            edits += change["edits"]
        for one in sorted(edits, key=place, reverse=True):
            start, end = (self.offset(one["range"][side]) for side in ("start", "end"))
            self.text = self.text[:start] + one["newText"] + self.text[end:]
        self.version += 1
        document = {"uri": self.uri, "version": self.version}
        change = {"textDocument": document, "contentChanges": [{"text": self.text}]}
        self.send(method="textDocument/didChange", params=change)
        return self.diagnostics()

    def offset(self, position: dict[str, int]) -> int:
        """The offset of a position, whose character counts UTF-16 units."""
        lines = self.text.splitlines(keepends=True)
        line = lines[position["line"]].encode("utf-16-le") if position["line"] < len(lines) else b""
        before = line[: 2 * position["character"]].decode("utf-16-le")
        return sum(map(len, lines[: position["line"]])) + len(before)

    def stop(self) -> None:
        """Ends the session as the protocol asks for."""
        self.request("shutdown")
        self.send(method="exit")
        if self.server.wait(timeout=SECONDS):
            raise Disappointment(f"the server ended with exit code {self.server.returncode}")


def place(item: dict[str, Any]) -> tuple[int, int]:
    """Where a diagnostic or an edit starts: 0-based line and character."""
    start = item["range"]["start"]
    return start["line"], start["character"]


def run_under_jax(name: str, text: str) -> subprocess.CompletedProcess[str]:
    """Runs the program on the CPU, from a temporary directory."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, name)
        copy.write_text(text, encoding="utf-8")
        environment = {**os.environ, "JAX_PLATFORMS": "cpu"}
        outcome = subprocess.run([sys.executable, copy], capture_output=True, text=True, env=environment, check=False)
        outcome.stderr = outcome.stderr.replace(f"{folder}{os.sep}", "")
        return outcome


def styled(text: str, code: str) -> str:
    """The text in a colour, on a terminal."""
    return f"\x1b[{code}m{text}\x1b[0m" if sys.stdout.isatty() and "NO_COLOR" not in os.environ else text


def heading(text: str) -> None:
    """Announces a step."""
    print(f"\n{styled(text, '1')}\n", flush=True)


def show_change(name: str, before: str, after: str) -> None:
    """Prints a unified diff."""
    colours = {"+": "32", "-": "31", "@": "36"}
    for row in difflib.unified_diff(before.splitlines(), after.splitlines(), name, f"{name} (fixed)", "", "", 1, ""):
        print(styled(f"  {row}", colours.get(row[0], "0")))


def show(path: Path) -> None:
    """The whole demo.

    Raises:
      Disappointment: something did not go as announced.
    """
    client = Client(path)
    before = client.text
    print(f"The server is {client.initialize()}, started as an editor starts it: python -m pallas_lsp server")

    diagnostics = client.open()
    heading(f"1. The editor opens {path.name}; the server has {len(diagnostics)} diagnostics")
    if not diagnostics:
        raise Disappointment("there is nothing to fix")
    for diagnostic in diagnostics:
        line, character = place(diagnostic)
        print(f"  {path.name}:{line + 1}:{character + 1} {styled(diagnostic['code'], '31')} {diagnostic['message']}")

    heading("2. It asks for the preferred quick fix of the first one, applies it, and again, until nothing is left")
    while diagnostics:
        action = client.quick_fix(diagnostics[0])
        print(f"  line {place(diagnostics[0])[0] + 1:3}: {action['title']}")
        remaining = client.apply(action)
        if len(remaining) >= len(diagnostics):
            raise Disappointment(f"after the fix there are {len(remaining)} diagnostics: {remaining[0]['message']}")
        diagnostics = remaining
    client.stop()

    heading("3. What has changed")
    show_change(path.name, before, client.text)

    heading("4. JAX on the file as it was")
    outcome = run_under_jax(path.name, before)
    errors = JAX_ERROR.findall(outcome.stderr)
    if outcome.returncode == 0 or not errors or "should return None" not in errors[-1]:
        raise Disappointment(f"JAX should have refused the file: {outcome.stdout}{outcome.stderr}")
    print(f"  {styled(errors[-1], '31')}")

    heading("5. JAX on the fixed file")
    outcome = run_under_jax(path.name, client.text)
    if outcome.returncode:
        raise Disappointment(f"JAX should have run the fixed file: {outcome.stderr}")
    print("".join(f"  {styled(row, '32')}\n" for row in outcome.stdout.splitlines()), flush=True)


def main() -> int:
    """Shows everything for the file that the command line names, else for the example beside this one."""
    try:
        show(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else EXAMPLE)
    except Disappointment as disappointment:
        sys.stdout.flush()
        print(f"\nThis is not what was announced: {disappointment}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

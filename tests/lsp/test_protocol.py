"""JSON-RPC by the specification, where pygls 2.1.1 by itself is silent, stuck, or shows the user a popup."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from lsp.client import VSCODE, Client, ResponseError
from lsp.conftest import Pipe

URI = "file:///work/kernel.py"
START = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}


def error_code(client: Client, message: Any) -> int:
    client.send(message)
    code: int = client.response(message.get("id") if isinstance(message, dict) else None)["error"]["code"]
    return code


def request(method: Any, params: Any = None, **more: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": "x", "method": method, "params": params, **more}


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("textDocument/codeAction", {"textDocument": URI, "range": START}),
        ("textDocument/codeAction", {"textDocument": {"uri": URI}, "range": {"start": -1}, "context": {}}),
        ("textDocument/codeAction", []),
        ("textDocument/codeAction", None),
        ("textDocument/diagnostic", {"textDocument": {}}),
        ("workspace/executeCommand", {"command": 5}),
        ("workspace/executeCommand", {"command": "pallas-lsp.unknown"}),
        ("workspace/executeCommand", {"command": "pallas-lsp.applyFixes", "arguments": []}),
        ("workspace/executeCommand", {"command": "pallas-lsp.applyFixes", "arguments": [{"uri": URI, "version": 1}]}),
        ("workspace/executeCommand", {"command": "pallas-lsp.countKernels", "arguments": [URI]}),
        ("workspace/executeCommand", {"command": "pallas-lsp.countKernels", "arguments": [{"uri": URI}]}),
        ("codeAction/resolve", {"title": "Fix", "data": {"uri": 1}}),
        ("codeAction/resolve", {"title": "Fix", "data": {"uri": URI, "revision": 1, "codes": [5], "group": None}}),
    ],
)
def test_malformed_parameters_of_a_request_are_refused(vscode: Client, method: str, params: object) -> None:
    assert error_code(vscode, request(method, params)) == -32602


def test_the_refusal_says_what_is_wrong(vscode: Client) -> None:
    with pytest.raises(ResponseError, match=r"required field missing @ message\.params\.text_document\.uri"):
        vscode.request("textDocument/diagnostic", {"textDocument": {}})


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("textDocument/didOpen", {"textDocument": {"uri": URI}}),
        ("textDocument/didChange", {"contentChanges": "all"}),
        ("textDocument/didChange", None),
        ("$/cancelRequest", {"id": {}}),
        ("$/cancelRequest", None),
        ("$/setTrace", {"value": "loud"}),
        ("workspace/didChangeConfiguration", []),
    ],
)
def test_malformed_parameters_of_a_notification_are_survived(vscode: Client, method: str, params: object) -> None:
    vscode.notify(method, params)
    vscode.take_all()


def test_a_malformed_notification_is_logged(simple: Client) -> None:
    simple.notify("textDocument/didOpen", {"textDocument": {"uri": URI}})
    logged = simple.notification("window/logMessage")
    assert logged["type"] == 1
    assert "textDocument/didOpen is malformed: required field missing" in logged["message"]


@pytest.mark.parametrize("content", [b"{", b"\xff\xfe", b"[" * 100_000, b'{"jsonrpc": "2.0", "id": 1'])
def test_what_is_not_json_is_a_parse_error(simple: Client, content: bytes) -> None:
    simple.send_content(content)
    assert simple.response(None)["error"]["code"] == -32700


@pytest.mark.parametrize(
    "message",
    [
        [request("shutdown")],
        [],
        5,
        None,
        {},
        {"jsonrpc": "2.0"},
        {"jsonrpc": "2.0", "id": None, "method": "shutdown"},
        {"jsonrpc": "2.0", "id": True, "method": "shutdown"},
        {"jsonrpc": "2.0", "id": [1], "method": "shutdown"},
        {"jsonrpc": "2.0", "method": 5},
        {"jsonrpc": "2.0", "id": 1, "result": 1, "error": {}},
        {"id": 7, "result": 1},
        {"method": "initialized"},
    ],
)
def test_what_is_not_a_message_is_an_invalid_request(simple: Client, message: object) -> None:
    simple.send(message)
    assert simple.response(None)["error"]["code"] == -32600


@pytest.mark.parametrize("message", [{"id": 91, "method": "shutdown"}, request(5), request("shutdown", jsonrpc="1.0")])
def test_the_refusal_of_an_invalid_request_has_its_id_if_there_is_one(simple: Client, message: dict[str, Any]) -> None:
    assert error_code(simple, message) == -32600


def test_unknown_requests_are_refused(simple: Client) -> None:
    for method in ("textDocument/moniker", "textDocument/nothing", "$/nothing"):
        assert error_code(simple, request(method, {"a": 1})) == -32601
        assert error_code(simple, {"jsonrpc": "2.0", "id": "y", "method": method}) == -32601


def test_unknown_notifications_are_ignored(simple: Client) -> None:
    for method in ("$/nothing", "textDocument/nothing", "textDocument/willSave"):
        simple.notify(method, {"a": 1})
        simple.send({"jsonrpc": "2.0", "method": method})
    simple.take_all()
    assert simple.received == []


def test_answers_to_nothing_are_ignored(simple: Client) -> None:
    simple.send({"jsonrpc": "2.0", "id": 12345, "result": None})
    simple.send({"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "what?"}})
    simple.take_all()


@pytest.mark.parametrize(
    "header",
    [
        b"content-length: %d\r\n\r\n",
        b"CONTENT-LENGTH:%d\r\n\r\n",
        b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: %d\r\n\r\n",
        b"Content-Length: %d\r\nContent-Type: application/vscode-jsonrpc\r\n\r\n",
        b"Content-Length: none\r\nContent-Length: %d\r\n\r\n",
        b"X-Unknown\r\n\r\n\r\nContent-Length: %d\r\n\r\n",
        b"Content-Length: %d\n\n",
    ],
)
def test_headers_are_read_as_headers_are(simple: Client, header: bytes) -> None:
    for id in ("first", "second"):
        content = json.dumps(request("$/nothing", id=id)).encode()
        simple.send_bytes(header % len(content) + content)
        assert simple.response(id)["error"]["code"] == -32601


def test_bytes_may_arrive_one_by_one(simple: Client) -> None:
    content = json.dumps(request("$/ünknown", id="slow"), ensure_ascii=False).encode()
    for byte in b"Content-Length: %d\r\n\r\n%b" % (len(content), content):
        simple.send_bytes(bytes([byte]))
    assert simple.response("slow")["error"]["code"] == -32601


def test_after_shutdown_requests_are_refused_and_notifications_ignored(fresh_scripted: Client) -> None:
    client = fresh_scripted
    client.initialize(VSCODE)
    assert client.request("shutdown") is None
    client.open(URI, "x = 1\n")
    for method, params in (("shutdown", None), ("textDocument/diagnostic", {}), ("initialize", {})):
        assert error_code(client, request(method, params)) == -32600
    client.notify("exit")
    assert client.wait_for_end() == 0


def test_a_crash_of_a_handler_is_an_internal_error_and_logged(vscode: Client) -> None:
    vscode.open(URI, "return 1  # PAL001 crash-fix\n")
    with pytest.raises(ResponseError, match="-32603"):
        vscode.command("pallas-lsp.applyFixes", {"uri": URI, "version": 1})
    logged = vscode.notification("window/logMessage")
    assert logged["type"] == 1
    assert "RuntimeError: the scripted fix crashed" in logged["message"]
    vscode.wait_for_error("RuntimeError: the scripted fix crashed")


def test_a_crash_of_the_check_is_logged_and_finds_nothing(vscode: Client) -> None:
    vscode.open("file:///crash.py", "return 1  # PAL001 crash\n")
    asked = {"textDocument": {"uri": "file:///crash.py"}}
    assert vscode.request("textDocument/diagnostic", asked)["items"] == []
    logged = vscode.notification("window/logMessage")
    assert "The check of file:///crash.py failed" in logged["message"]
    assert "RuntimeError: the scripted check crashed" in logged["message"]


def test_a_crash_of_a_rule_costs_that_rule_alone_and_is_logged_once(simple: Client) -> None:
    uri = "file:///crash_rule.py"
    simple.open(uri, "return 1  # PAL001 crash-rule\nreturn 2  # PAL002\n")
    assert [found["code"] for found in simple.published(uri)] == ["PAL002"]
    logged = simple.notification("window/logMessage")
    assert logged["type"] == 1
    assert f"PAL001 (scripted-rule) is not checked in {uri}. This is a mistake in pallas-lsp" in logged["message"]
    assert "please report it" in logged["message"]
    assert "RuntimeError: the scripted rule crashed" in logged["message"]
    simple.change(uri, 2, "return 1  # PAL001 crash-rule\nreturn 3  # PAL003\n")
    assert [found["code"] for found in simple.published(uri, 2)] == ["PAL003"]
    simple.take_all()
    assert [message for message in simple.received if message["method"] == "window/logMessage"] == []


def test_a_request_is_cancelled_while_it_is_worked_on(pipe: Pipe, fresh_scripted: Client) -> None:
    client = fresh_scripted
    client.initialize(VSCODE)
    client.open(URI, f"return 1  # PAL001 wait={pipe.path}\n")
    asked = client.begin("textDocument/diagnostic", {"textDocument": {"uri": URI}})
    pipe.wait_for_reader()
    client.notify("$/cancelRequest", {"id": asked})
    assert client.response(asked)["error"]["code"] == -32800
    pipe.release()
    assert client.exit() == 0


def test_a_request_that_is_cancelled_before_its_turn(pipe: Pipe, fresh_scripted: Client) -> None:
    client = fresh_scripted
    client.initialize(VSCODE)
    client.open(URI, f"return 1  # PAL001 wait={pipe.path}\n")
    diagnostic = request("textDocument/diagnostic", {"textDocument": {"uri": URI}}, id="cancelled")
    cancellation = {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": "cancelled"}}
    contents = [json.dumps(message).encode() for message in (diagnostic, cancellation)]
    client.send_bytes(b"".join(b"Content-Length: %d\r\n\r\n%b" % (len(content), content) for content in contents))
    assert client.response("cancelled")["error"]["code"] == -32800


def test_the_cancellation_of_an_answered_request_is_ignored_and_its_id_can_be_used_again(simple: Client) -> None:
    assert error_code(simple, request("$/nothing", id="again")) == -32601
    simple.notify("$/cancelRequest", {"id": "again"})
    simple.take_all()
    assert error_code(simple, request("$/nothing", id="again")) == -32601


def test_nothing_but_the_protocol_is_on_standard_output(fresh_scripted: Client) -> None:
    client = fresh_scripted
    client.initialize({})
    client.open(URI, "return 1  # PAL001 print\n")
    assert len(client.published(URI)) == 1
    assert client.exit() == 0
    assert client.stdout_rest == b""
    assert "a stray print" in client.stderr
    assert "a stray write" in client.stderr


def test_the_end_does_not_wait_for_the_analysis(pipe: Pipe, fresh_scripted: Client) -> None:
    client = fresh_scripted
    client.initialize({})
    client.open(URI, f"return 1  # PAL001 wait={pipe.path}\n")
    pipe.wait_for_reader()
    assert client.exit() == 0


def test_an_editor_that_cannot_be_seen_is_not_watched(fresh: Client) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    fresh.request("initialize", {"processId": gone.pid, "capabilities": {}})
    fresh.take_all()
    assert fresh.exit() == 0


def test_the_server_ends_when_the_editor_that_started_it_is_gone(fresh: Client) -> None:
    editor = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    fresh.request("initialize", {"processId": editor.pid, "capabilities": {}})
    fresh.take_all()
    editor.kill()
    editor.communicate()
    assert fresh.wait_for_end() == 0


def test_messages_are_traced_as_the_client_wants_it(fresh_scripted: Client) -> None:
    client = fresh_scripted
    client.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}, "trace": "messages"})
    client.notify("initialized", {})
    assert client.notification("$/logTrace") == {"message": "Received initialized"}
    client.notify("$/setTrace", {"value": "verbose"})
    client.notification("$/logTrace")
    client.close(URI)
    traced = client.notification("$/logTrace")
    assert traced["message"] == "Received textDocument/didClose"
    assert URI in traced["verbose"]
    client.notify("$/setTrace", {"value": "off"})
    client.notification("$/logTrace")
    assert client.exit() == 0
    assert not any(message["method"] == "$/logTrace" for message in client.received)

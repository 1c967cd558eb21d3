"""The start of a session: what is agreed on, what is answered before, and what the start costs."""

from __future__ import annotations

import json

import pytest

from lsp.client import NEOVIM, SERVER, VSCODE, Client, ResponseError


@pytest.mark.parametrize(
    ("offered", "agreed"),
    [
        (None, "utf-16"),
        ([], "utf-16"),
        (["utf-16"], "utf-16"),
        (["utf-16", "utf-8"], "utf-8"),
        (["utf-16", "utf-32"], "utf-32"),
        (["utf-32", "utf-16", "utf-8"], "utf-8"),
        (["utf-7"], "utf-16"),
        ("utf-8", "utf-16"),
    ],
)
def test_the_encoding_is_the_best_that_the_client_offers(offered: object, agreed: str) -> None:
    capabilities = {} if offered is None else {"general": {"positionEncodings": offered}}
    with Client() as client:
        result = client.request("initialize", {"capabilities": capabilities})
    assert result["capabilities"]["positionEncoding"] == agreed


def test_a_client_that_supports_nothing_gets_the_minimum(fresh: Client) -> None:
    assert fresh.initialize({}) == {
        "serverInfo": {"name": "pallas-lsp", "version": "0.1.0"},
        "capabilities": {
            "positionEncoding": "utf-16",
            "textDocumentSync": {"openClose": True, "change": 2, "save": {"includeText": False}},
            "codeActionProvider": {
                "codeActionKinds": ["quickfix", "refactor.rewrite", "source.fixAll.pallas-lsp"],
                "resolveProvider": False,
            },
            "hoverProvider": True,
            "inlayHintProvider": True,
            "codeLensProvider": {},
            "definitionProvider": True,
            "referencesProvider": True,
            "documentHighlightProvider": True,
            "documentSymbolProvider": {"label": "Pallas"},
            "workspaceSymbolProvider": True,
            "executeCommandProvider": {
                "commands": ["pallas-lsp.verifyKernel", "pallas-lsp.countKernels", "pallas-lsp.debugInformation"]
            },
        },
    }


def test_vs_code_is_offered_all(fresh: Client) -> None:
    capabilities = fresh.initialize(VSCODE)["capabilities"]
    assert capabilities["diagnosticProvider"] == {
        "identifier": "pallas-lsp",
        "interFileDependencies": True,
        "workspaceDiagnostics": False,
    }
    assert capabilities["codeActionProvider"] == {
        "codeActionKinds": [
            "quickfix",
            "refactor.rewrite",
            "source.fixAll.pallas-lsp",
            "notebook.source.fixAll.pallas-lsp",
        ],
        "resolveProvider": True,
    }
    assert capabilities["notebookDocumentSync"] == {"notebookSelector": [{"cells": [{"language": "python"}]}]}
    assert capabilities["workspace"] == {"workspaceFolders": {"supported": True, "changeNotifications": True}}
    assert "pallas-lsp.applyFixes" in capabilities["executeCommandProvider"]["commands"]


def test_vs_code_is_asked_to_watch_files_and_settings(fresh: Client) -> None:
    fresh.initialize(VSCODE)
    fresh.take_all()
    registrations = {
        registration["method"]: registration["registerOptions"]
        for request in fresh.requested
        if request["method"] == "client/registerCapability"
        for registration in request["params"]["registrations"]
    }
    assert registrations == {
        "workspace/didChangeConfiguration": {"section": "pallas-lsp"},
        "workspace/didChangeWatchedFiles": {
            "watchers": [
                {"globPattern": f"**/{name}"}
                for name in (
                    *("pallas-lsp.toml", ".pallas-lsp.toml", "pyproject.toml"),
                    *("uv.lock", "poetry.lock", "pdm.lock"),
                    *("requirements.txt", "requirements.in", "requirements-dev.txt", "*.py", ".gitignore"),
                )
            ]
        },
    }


def test_neovim_is_asked_to_register_nothing(fresh: Client) -> None:
    fresh.initialize(NEOVIM)
    fresh.take_all()
    assert "client/registerCapability" not in [request["method"] for request in fresh.requested]


def test_malformed_capabilities_are_not_supported_ones(fresh: Client) -> None:
    capabilities = {"general": [], "workspace": 1, "textDocument": {"codeAction": "yes", "publishDiagnostics": None}}
    params = {"capabilities": capabilities, "processId": "me", "workspaceFolders": "here", "rootUri": 5}
    assert fresh.request("initialize", params)["capabilities"]["positionEncoding"] == "utf-16"
    assert fresh.exit() == 0


@pytest.mark.parametrize("params", [{}, {"capabilities": None}, {"capabilities": {}, "processId": None}])
def test_missing_parameters_are_survived(fresh: Client, params: object) -> None:
    assert fresh.request("initialize", params)["serverInfo"]["name"] == "pallas-lsp"


@pytest.mark.parametrize("params", [None, [], 5])
def test_initialize_without_an_object_is_refused_and_can_be_repeated(fresh: Client, params: object) -> None:
    with pytest.raises(ResponseError, match="-32602"):
        fresh.request("initialize", params)
    assert "capabilities" in fresh.initialize({})


def test_requests_before_initialize_are_refused_and_notifications_dropped(fresh: Client) -> None:
    fresh.open("file:///early.py", "x = 1\n")
    with pytest.raises(ResponseError, match="-32002"):
        fresh.request("shutdown")
    fresh.initialize({})
    assert fresh.documents() == {}


def test_what_is_not_a_message_is_refused_before_initialize_too(fresh: Client) -> None:
    fresh.send_content(b"{")
    assert fresh.response(None)["error"]["code"] == -32700
    fresh.send([])
    assert fresh.response(None)["error"]["code"] == -32600
    assert "capabilities" in fresh.initialize({})


def test_initialize_can_be_said_once(fresh: Client) -> None:
    fresh.initialize({})
    with pytest.raises(ResponseError, match="-32600"):
        fresh.request("initialize", {"capabilities": {}})


def test_messages_sent_while_the_server_starts_are_handled_in_their_order(fresh: Client) -> None:
    uri = "untitled:Untitled-1"
    document = {"uri": uri, "languageId": "python", "version": 1, "text": "0"}
    messages = [
        {"id": 1, "method": "initialize", "params": {"capabilities": {}}},
        {"method": "initialized", "params": {}},
        {"method": "textDocument/didOpen", "params": {"textDocument": document}},
    ]
    for version in range(2, 50):
        end = {"line": 0, "character": version - 1}
        change = {"range": {"start": end, "end": end}, "text": str(version % 10)}
        params = {"textDocument": {"uri": uri, "version": version}, "contentChanges": [change]}
        messages.append({"method": "textDocument/didChange", "params": params})
    messages.append(
        {"id": 2, "method": "workspace/executeCommand", "params": {"command": "pallas-lsp.debugInformation"}}
    )
    contents = [json.dumps({"jsonrpc": "2.0", **message}).encode() for message in messages]
    fresh.send_bytes(b"".join(b"Content-Length: %d\r\n\r\n%b" % (len(content), content) for content in contents))
    fresh.finish(1)
    (state,) = fresh.finish(2)["documents"]
    assert (state["version"], state["sha256"]) == (49, digest("0" + "".join(str(n % 10) for n in range(2, 50))))


def test_shutdown_and_exit_while_the_server_starts(fresh: Client) -> None:
    ids = [fresh.begin("initialize", {"capabilities": {}}), fresh.begin("shutdown")]
    fresh.notify("exit")
    assert fresh.wait_for_end() == 0
    assert [fresh.response(id).get("result", "missing") is None for id in ids] == [False, True]


@pytest.mark.parametrize("initialized", [False, True])
def test_exit_without_shutdown_is_an_error(fresh: Client, initialized: bool) -> None:
    if initialized:
        fresh.initialize({})
    fresh.notify("exit")
    assert fresh.wait_for_end() == 1


@pytest.mark.parametrize("initialized", [False, True])
def test_the_end_of_the_input_is_the_end(fresh: Client, initialized: bool) -> None:
    if initialized:
        fresh.initialize({})
        fresh.take_all()
    fresh.process.stdin.close()
    assert fresh.wait_for_end() == 0
    assert fresh.stderr == ""


def test_the_start_imports_neither_libcst_nor_jax(fresh: Client) -> None:
    fresh.initialize({})
    fresh.open("file:///a.py", "import jax\n")
    fresh.published("file:///a.py")
    assert fresh.command("pallas-lsp.debugInformation")["imported"] == []


def test_initialize_is_answered_before_pygls_is_imported() -> None:
    code = (
        "import sys, pallas_lsp.lsp.bootstrap as bootstrap\n"
        "class Stop:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.partition('.')[0] in ('pygls', 'lsprotocol', 'asyncio', 'dataclasses', 'logging'):\n"
        "            sys.exit(7)\n"
        "sys.meta_path.insert(0, Stop())\n"
        "sys.exit(bootstrap.serve())\n"
    )
    with Client((SERVER[0], "-c", code)) as client:
        assert "capabilities" in client.request("initialize", {"capabilities": {}})
        assert client.wait_for_end() == 7


def digest(text: str) -> str:
    import hashlib

    return hashlib.sha256(text.encode()).hexdigest()

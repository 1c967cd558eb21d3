"""What a real editor sent, sent again: `transcripts/` has each message of a session of Neovim 0.11, in order.

It was recorded between `editors/tests/neovim.lua` and the server: a file with two kernels is opened, one is fixed at
the caret, hover and inlay hints are asked for, and writing fixes the other. `@FOLDER@` stands for the folder's URI.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lsp.client import Client, Json
from lsp.test_code_actions import applied
from pallas_lsp.text import PositionEncoding

RECORDED = Path(__file__).with_name("transcripts") / "neovim.jsonl"

Exchanges = list[tuple[Json, Any]]


@pytest.fixture
def folder(tmp_path: Path) -> str:
    return tmp_path.as_uri()


@pytest.fixture
def exchanges(fresh: Client, folder: str) -> Exchanges:
    """The messages of the editor, each with the result that the server gives now; None for a notification."""
    lines = RECORDED.read_text(encoding="utf-8").replace("@FOLDER@", folder).splitlines()
    found: Exchanges = []
    for message in map(json.loads, lines):
        fresh.send(message)
        found.append((message, fresh.finish(message["id"]) if "id" in message else None))
    fresh.notify("exit")
    assert fresh.wait_for_end() == 0
    return found


def results(exchanges: Exchanges, method: str) -> list[Any]:
    return [result for message, result in exchanges if message["method"] == method]


def sent(exchanges: Exchanges, method: str) -> list[Any]:
    return [message["params"] for message, _ in exchanges if message["method"] == method]


def test_neovim_gets_columns_in_utf8_and_is_asked_for_nothing_it_cannot_do(exchanges: Exchanges) -> None:
    (result,) = results(exchanges, "initialize")
    assert result["capabilities"]["positionEncoding"] == "utf-8"
    assert result["capabilities"]["codeActionProvider"]["resolveProvider"]


def test_neovim_sees_a_finding_less_after_each_fix(exchanges: Exchanges) -> None:
    assert [len(report["items"]) for report in results(exchanges, "textDocument/diagnostic")] == [2, 1, 0]


def test_neovim_gets_the_edits_that_it_applied_when_it_was_recorded(exchanges: Exchanges, folder: str) -> None:
    uri = f"{folder}/kernels.py"
    text = sent(exchanges, "textDocument/didOpen")[0]["textDocument"]["text"]
    chosen = results(exchanges, "codeAction/resolve")
    changes = sent(exchanges, "textDocument/didChange")
    assert len(chosen) == len(changes) == 2
    for action, change in zip(chosen, changes, strict=True):
        as_sent = [{"range": one["range"], "newText": one["text"]} for one in change["contentChanges"]]
        after = applied(action["edit"], text, PositionEncoding.UTF8, uri)
        assert after == applied({"changes": {uri: as_sent}}, text, PositionEncoding.UTF8, uri)
        text = after
    assert "return" not in text[: text.index("def add(")]


def test_neovim_shows_hover_and_hints(exchanges: Exchanges) -> None:
    (hover,) = results(exchanges, "textDocument/hover")
    assert hover["contents"]["value"].startswith("**kernel** `add_kernel`")
    hints = results(exchanges, "textDocument/inlayHint")
    assert {len(shown) for shown in hints} == {5}

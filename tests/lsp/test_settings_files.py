"""Mistakes in settings files are diagnostics of these files, at their place, and go with their cause."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lsp.client import NEOVIM, VSCODE, Client, Json
from pallas_lsp.text import PositionEncoding

FINDINGS = "return 1  # PAL001\nreturn 2  # PAL002\n"


def told(client: Client, path: Path, version: int | None = None) -> list[tuple[int, int, int, str]]:
    """What is published for a settings file next: line, columns, message."""
    return [row(found) for found in client.published(path.as_uri(), version)]


def row(found: Json) -> tuple[int, int, int, str]:
    start, end = found["range"]["start"], found["range"]["end"]
    assert (found["source"], found["code"], found["severity"]) == ("pallas-lsp", "invalid-setting", 1)
    return start["line"], start["character"], end["character"], found["message"]


def test_a_mistake_in_a_file_that_is_not_open_is_shown_in_it(simple: Client, tmp_path: Path) -> None:
    settings = tmp_path / "pyproject.toml"
    settings.write_text('[tool.pallas-lsp]\nslect = ["PAL001"]\nignore = ["PAL00X"]\n')
    code = (tmp_path / "a.py").as_uri()
    simple.open(code, FINDINGS)
    assert told(simple, settings) == [
        (1, 0, 5, "Unknown setting; did you mean `select`?"),
        (2, 10, 18, "Unknown rule `PAL00X`; did you mean `PAL003`?"),
    ]
    simple.notification("window/showMessage")
    settings.write_text('[tool.pallas-lsp]\nselect = ["PAL001"]\n')
    simple.change(code, 2, FINDINGS)
    assert told(simple, settings) == []
    assert [found["code"] for found in simple.published(code, 2)] == ["PAL001"]


def test_a_client_that_asks_is_told_of_files_that_it_does_not_have(vscode: Client, tmp_path: Path) -> None:
    settings = tmp_path / "pallas-lsp.toml"
    settings.write_text("unsafe-fixes = 1\n")
    code = (tmp_path / "a.py").as_uri()
    vscode.open(code, FINDINGS)
    vscode.request("textDocument/diagnostic", {"textDocument": {"uri": code}})
    wrong = [(0, 0, 12, "Expected true or false, not an integer.")]
    assert told(vscode, settings) == wrong
    vscode.notification("window/showMessage")
    # Once it has the file it asks for it: nothing is shown twice.
    vscode.open(settings.as_uri(), settings.read_text(), language="toml")
    assert told(vscode, settings, 1) == []
    report = vscode.request("textDocument/diagnostic", {"textDocument": {"uri": settings.as_uri()}})
    assert [row(found) for found in report["items"]] == wrong
    vscode.change(settings.as_uri(), 2, "unsafe-fixes = true\n")
    assert vscode.request("textDocument/diagnostic", {"textDocument": {"uri": settings.as_uri()}})["items"] == []
    vscode.close(settings.as_uri())
    assert told(vscode, settings) == wrong  # That is still on disk.


def test_a_file_is_checked_while_it_is_typed_in_every_encoding(
    encoded: tuple[Client, PositionEncoding], tmp_path: Path
) -> None:
    client, encoding = encoded
    settings = tmp_path / "pallas-lsp.toml"
    text = 'exclude = ["\U0001d499é", "a["]\r\n'
    client.open(settings.as_uri(), text, language="toml")
    start = {PositionEncoding.UTF8: 21, PositionEncoding.UTF16: 18, PositionEncoding.UTF32: 17}[encoding]
    assert told(client, settings, 1) == [(0, start, start + 4, "`a[` is not a pattern: `[` is not closed.")]
    bracket: dict[str, Any] = {
        "range": {"start": {"line": 0, "character": start + 2}, "end": {"line": 0, "character": start + 3}}
    }
    client.change(settings.as_uri(), 2, {**bracket, "text": ""})
    assert told(client, settings, 2) == []
    client.change(settings.as_uri(), 3, "ignore = 1\n")
    assert [place[:3] for place in told(client, settings, 3)] == [(0, 0, 6)]
    client.close(settings.as_uri())
    assert told(client, settings) == []


def test_a_save_elsewhere_is_noticed_by_clients_that_watch_no_files(neovim: Client, tmp_path: Path) -> None:
    assert not NEOVIM["workspace"]["didChangeWatchedFiles"]["dynamicRegistration"]
    settings, code = tmp_path / "pallas-lsp.toml", (tmp_path / "a.py").as_uri()
    settings.write_text("")
    neovim.open(code, FINDINGS)
    neovim.published(code)
    settings.write_text("ignore = 1\n")
    neovim.notify("textDocument/didSave", {"textDocument": {"uri": code}})
    assert [place[:3] for place in told(neovim, settings)] == [(0, 0, 6)]
    neovim.notification("window/showMessage")
    settings.unlink()
    neovim.notify("textDocument/didSave", {"textDocument": {"uri": code}})
    assert told(neovim, settings) == []


def test_other_toml_files_are_not_ours(vscode: Client, tmp_path: Path) -> None:
    other = tmp_path / "ruff.toml"
    vscode.open(other.as_uri(), "slect = 1\n", language="toml")
    assert vscode.request("textDocument/diagnostic", {"textDocument": {"uri": other.as_uri()}})["items"] == []
    assert VSCODE["textDocument"]["diagnostic"]

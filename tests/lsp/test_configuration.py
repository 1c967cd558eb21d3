"""Settings: from files, from the editor, changed while the server runs, and broken."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lsp.client import NEOVIM, VSCODE, Client, Json
from pallas_lsp.lsp.configuration import Configuration

FINDINGS = "return 1  # PAL001\nreturn 2  # PAL002\n"


def codes(diagnostics: list[Json]) -> list[str]:
    return [diagnostic["code"] for diagnostic in diagnostics]


def opened(client: Client, path: Path, version: int = 1) -> list[str]:
    client.open(path.as_uri(), FINDINGS, version=version)
    return codes(client.published(path.as_uri(), version))


def telling(client: Client, settings: dict[str | None, Json | None]) -> None:
    """Has the client tell these settings, by folder; None for those of no folder."""
    client.answers["workspace/configuration"] = lambda params: [
        settings.get(item.get("scopeUri")) if item["section"] == "pallas-lsp" else None for item in params["items"]
    ]


def test_the_nearest_configuration_file_counts(simple: Client, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.pallas-lsp]\nignore = ["PAL001"]\n')
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "pallas-lsp.toml").write_text('ignore = ["PAL002"]\n')
    assert opened(simple, tmp_path / "a.py") == ["PAL002"]
    assert opened(simple, inner / "a.py") == ["PAL001"]
    assert simple.documents()[(inner / "a.py").as_uri()]["configuration"] == str(inner / "pallas-lsp.toml")


def test_a_changed_file_counts_from_the_next_check_on(simple: Client, tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    assert opened(simple, path) == ["PAL001", "PAL002"]
    (tmp_path / "pallas-lsp.toml").write_text('ignore = ["PAL002"]\n')
    simple.change(path.as_uri(), 2, FINDINGS)
    assert codes(simple.published(path.as_uri(), 2)) == ["PAL001"]


def test_a_watched_file_that_changes_has_everything_checked(fresh_scripted: Client, tmp_path: Path) -> None:
    client = fresh_scripted
    client.initialize({**NEOVIM, "workspace": VSCODE["workspace"]})
    path = tmp_path / "a.py"
    assert opened(client, path) == ["PAL001", "PAL002"]
    (tmp_path / "pallas-lsp.toml").write_text('ignore = ["PAL002"]\n')
    changes = [{"uri": (tmp_path / "pallas-lsp.toml").as_uri(), "type": 1}]
    client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    assert codes(client.published(path.as_uri())) == ["PAL001"]


@pytest.mark.parametrize("wrap", [False, True])
def test_options_of_initialize_lie_on_top_of_files(fresh_scripted: Client, tmp_path: Path, wrap: bool) -> None:
    (tmp_path / "pallas-lsp.toml").write_text('ignore = ["PAL002"]\n')
    options = {"select": ["PAL002"], "ignore": None}
    fresh_scripted.initialize({}, options={"settings": options} if wrap else options)
    assert opened(fresh_scripted, tmp_path / "a.py") == ["PAL002"]


def test_the_first_check_waits_for_the_settings_of_the_editor(fresh_scripted: Client, tmp_path: Path) -> None:
    client = fresh_scripted
    telling(client, {None: {"ignore": ["PAL001"]}})
    client.initialize(NEOVIM)
    assert opened(client, tmp_path / "a.py") == ["PAL002"]
    client.take_all()
    assert client.received == []


def test_each_folder_has_its_own_settings(fresh_scripted: Client, tmp_path: Path) -> None:
    client = fresh_scripted
    one, two = tmp_path / "one", tmp_path / "one" / "two"
    telling(client, {one.as_uri(): {"ignore": ["PAL001"]}, two.as_uri(): {"ignore": ["PAL002"]}})
    client.initialize(NEOVIM, folders=[one, two])
    assert opened(client, one / "a.py") == ["PAL002"]
    assert opened(client, two / "a.py") == ["PAL001"]
    assert opened(client, tmp_path / "a.py") == ["PAL001", "PAL002"]
    assert client.command("pallas-lsp.debugInformation")["folders"] == [one.as_uri(), two.as_uri()]


def test_a_document_without_a_file_has_the_settings_of_the_first_folder(fresh_scripted: Client, tmp_path: Path) -> None:
    (tmp_path / "pallas-lsp.toml").write_text('ignore = ["PAL002"]\n')
    fresh_scripted.initialize({}, folders=[tmp_path])
    fresh_scripted.open("untitled:Untitled-1", FINDINGS)
    assert codes(fresh_scripted.published("untitled:Untitled-1")) == ["PAL001"]


def test_folders_come_and_go(fresh_scripted: Client, tmp_path: Path) -> None:
    client = fresh_scripted
    one, two = tmp_path / "one", tmp_path / "two"
    telling(client, {two.as_uri(): {"ignore": ["PAL002"]}})
    client.initialize(NEOVIM, folders=[one])
    assert opened(client, two / "a.py") == ["PAL001", "PAL002"]
    event = {"added": [{"uri": two.as_uri(), "name": "two"}], "removed": [{"uri": one.as_uri(), "name": "one"}]}
    client.notify("workspace/didChangeWorkspaceFolders", {"event": event})
    assert codes(client.published((two / "a.py").as_uri())) == ["PAL001"]
    assert client.command("pallas-lsp.debugInformation")["folders"] == [two.as_uri()]


def test_changed_settings_are_asked_for_and_count_at_once(fresh_scripted: Client, tmp_path: Path) -> None:
    client = fresh_scripted
    client.initialize(NEOVIM)
    assert opened(client, tmp_path / "a.py") == ["PAL001", "PAL002"]
    telling(client, {None: {"ignore": ["PAL001"]}})
    client.notify("workspace/didChangeConfiguration", {"settings": None})
    assert codes(client.published((tmp_path / "a.py").as_uri())) == ["PAL002"]


@pytest.mark.parametrize("settings", [{"pallas-lsp": {"ignore": ["PAL001"]}}, {"ignore": ["PAL001"]}])
def test_a_client_that_cannot_be_asked_sends_its_settings(simple: Client, tmp_path: Path, settings: Json) -> None:
    assert opened(simple, tmp_path / "a.py") == ["PAL001", "PAL002"]
    simple.notify("workspace/didChangeConfiguration", {"settings": settings})
    assert codes(simple.published((tmp_path / "a.py").as_uri())) == ["PAL002"]
    simple.notify("workspace/didChangeConfiguration", {"settings": {}})
    assert codes(simple.published((tmp_path / "a.py").as_uri())) == ["PAL001", "PAL002"]


def test_a_client_that_asks_is_told_to_ask_again(fresh_scripted: Client, tmp_path: Path) -> None:
    client = fresh_scripted
    client.initialize(VSCODE)
    client.open((tmp_path / "a.py").as_uri(), FINDINGS)
    asked: Json = {"textDocument": {"uri": (tmp_path / "a.py").as_uri()}}
    first = client.request("textDocument/diagnostic", asked)
    telling(client, {None: {"ignore": ["PAL001"]}})
    client.notify("workspace/didChangeConfiguration", {"settings": None})
    client.take_all()
    client.take_all()
    assert "workspace/diagnostic/refresh" in [request["method"] for request in client.requested]
    second = client.request("textDocument/diagnostic", {**asked, "previousResultId": first["resultId"]})
    assert codes(second["items"]) == ["PAL002"]


def test_useless_answers_about_settings_are_survived(fresh_scripted: Client, tmp_path: Path) -> None:
    client = fresh_scripted
    answers: list[Any] = [None, [], {}, [5], ["select"], {"select": []}, [None, None, None]]
    client.answers["workspace/configuration"] = lambda params: answers.pop()
    client.initialize(NEOVIM)
    while answers:
        client.notify("workspace/didChangeConfiguration", {"settings": None})
        client.take_all()
    assert opened(client, tmp_path / "a.py") == ["PAL001", "PAL002"]


def test_a_setting_that_cannot_be_used_is_logged_once_and_the_others_count(
    fresh_scripted: Client, tmp_path: Path
) -> None:
    client = fresh_scripted
    client.initialize({}, options={"ignore": ["PAL001"], "selct": ["PAL002"], "severity": 3})
    assert opened(client, tmp_path / "a.py") == ["PAL002"]
    assert opened(client, tmp_path / "b.py") == ["PAL002"]
    client.take_all()
    logged = [message["params"] for message in client.received]
    assert [params["type"] for params in logged] == [2, 2]
    assert "`selct`" in logged[0]["message"]
    assert "`severity`" in logged[1]["message"]


def test_a_broken_configuration_file_is_shown_to_the_user_once(fresh_scripted: Client, tmp_path: Path) -> None:
    client = fresh_scripted
    client.initialize({})
    (tmp_path / "pallas-lsp.toml").write_text("ignore = 5\n")
    assert opened(client, tmp_path / "a.py") == ["PAL001", "PAL002"]
    assert opened(client, tmp_path / "b.py") == ["PAL001", "PAL002"]
    client.take_all()
    (shown,) = [message for message in client.received if message["method"] == "window/showMessage"]
    assert f"{tmp_path}/pallas-lsp.toml:1" in shown["params"]["message"]
    (tmp_path / "pallas-lsp.toml").write_text('ignore = ["PAL001"]\n')
    client.change((tmp_path / "a.py").as_uri(), 2, FINDINGS)
    assert codes(client.published((tmp_path / "a.py").as_uri(), 2)) == ["PAL002"]


@pytest.mark.parametrize(
    ("params", "folders"),
    [
        ({"rootUri": "file:///work"}, ("file:///work",)),
        ({"rootPath": "/work"}, ("file:///work",)),
        ({"rootUri": None, "rootPath": None}, ()),
        (
            {"rootUri": "file:///work", "workspaceFolders": [{"uri": "file:///a"}, {"uri": "file:///b"}]},
            ("file:///a", "file:///b"),
        ),
        ({"workspaceFolders": [{}, 1, {"uri": 2}]}, ()),
    ],
)
def test_the_folders_of_a_client_are_what_it_calls_so(params: Json, folders: tuple[str, ...]) -> None:
    assert Configuration(params, is_asked=False).folders == folders


@pytest.mark.parametrize(
    ("preference", "found"),
    [
        (None, ["PAL002"]),
        ("editorFirst", ["PAL002"]),
        ("filesystemFirst", ["PAL001"]),
        ("editorOnly", ["PAL002"]),
        ("nonsense", ["PAL002"]),
    ],
)
def test_the_user_says_whose_settings_win(
    fresh_scripted: Client, tmp_path: Path, preference: str | None, found: list[str]
) -> None:
    client = fresh_scripted
    (tmp_path / "pallas-lsp.toml").write_text('select = ["PAL001"]\n')
    client.initialize(options={"configurationPreference": preference, "settings": {"select": ["PAL002"]}})
    assert opened(client, tmp_path / "a.py") == found
    client.take_all()
    assert (preference == "nonsense") == any("configurationPreference" in str(each) for each in client.received)


def test_what_the_editor_alone_says_holds_whatever_a_file_says(fresh_scripted: Client, tmp_path: Path) -> None:
    client = fresh_scripted
    (tmp_path / "pallas-lsp.toml").write_text('select = ["PAL001"]\n')
    client.initialize(options={"configurationPreference": "editorOnly"})
    assert opened(client, tmp_path / "a.py") == ["PAL001", "PAL002"]


@pytest.mark.parametrize(("level", "is_logged"), [("warning", True), ("error", False), (None, True)])
def test_the_log_has_what_its_level_says(fresh_scripted: Client, level: str | None, is_logged: bool) -> None:
    client = fresh_scripted
    client.initialize(options={"logLevel": level, "settings": {"slect": []}})
    client.open("file:///a.py", FINDINGS)
    client.published("file:///a.py")
    client.take_all()
    assert any(message["method"] == "window/logMessage" for message in client.received) == is_logged


def test_an_excluded_file_of_the_workspace_is_not_checked(fresh_scripted: Client, tmp_path: Path) -> None:
    root = tmp_path / "build" / "project"  # What is around the workspace says nothing about it.
    root.mkdir(parents=True)
    (root / "pallas-lsp.toml").write_text('extend-exclude = ["third_party"]\n')
    fresh_scripted.initialize(folders=[root])
    assert opened(fresh_scripted, root / "a.py") == ["PAL001", "PAL002"]
    assert opened(fresh_scripted, root / "third_party" / "x" / "a.py") == []
    assert opened(fresh_scripted, root / ".venv" / "lib" / "a.py") == []
    assert opened(fresh_scripted, tmp_path / "venv" / "a.py") == ["PAL001", "PAL002"]

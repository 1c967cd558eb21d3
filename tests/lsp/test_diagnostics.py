"""Diagnostics: the right ones, in the right place, for the newest text, and gone in time."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from lsp.client import NEOVIM, VSCODE, Client
from lsp.conftest import Pipe
from pallas_lsp.check import check
from pallas_lsp.text import PositionEncoding

URI = "file:///work/kernel.py"
FINDING = "x = 0\n  return x  # PAL001 safe\n"


def span(line: int, start: int, end: int) -> dict[str, Any]:
    return {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}


def rich(**more: Any) -> dict[str, Any]:
    """Neovim's capabilities, with more for diagnostics."""
    capabilities = copy.deepcopy(NEOVIM)
    capabilities["textDocument"]["publishDiagnostics"].update(more)
    return capabilities


def pulled(client: Client, uri: str, previous: str | None = None) -> Any:
    params = {"textDocument": {"uri": uri}, **({} if previous is None else {"previousResultId": previous})}
    return client.request("textDocument/diagnostic", params)


# Published.


def test_a_finding_is_published_with_the_version_that_it_is_for(simple: Client) -> None:
    simple.open(URI, FINDING, version=3)
    assert simple.published(URI, 3) == [
        {
            "range": span(1, 2, 10),
            "severity": 1,
            "code": "PAL001",
            "source": "pallas-lsp",
            "message": "found `return x`",
        }
    ]


def test_every_version_gets_its_diagnostics(simple: Client) -> None:
    simple.open(URI, FINDING)
    for version in range(2, 6):
        assert len(simple.published(URI, version - 1)) == 1
        simple.change(URI, version, {"range": span(0, 0, 0), "text": "\n"})
    assert [found["range"] for found in simple.published(URI, 5)] == [span(5, 2, 10)]


def test_diagnostics_go_with_their_cause(simple: Client) -> None:
    simple.open(URI, FINDING)
    assert len(simple.published(URI, 1)) == 1
    simple.change(URI, 2, "x = 0\n")
    assert simple.published(URI, 2) == []


def test_diagnostics_are_taken_back_when_the_document_is_closed(simple: Client) -> None:
    simple.open("file:///closed.py", FINDING)
    assert len(simple.published("file:///closed.py")) == 1
    simple.close("file:///closed.py")
    assert simple.published("file:///closed.py", None) == []
    assert "file:///closed.py" not in simple.documents()


def test_a_document_can_be_opened_again(simple: Client) -> None:
    uri = "file:///again.py"
    simple.open(uri, FINDING)
    simple.published(uri)
    simple.close(uri)
    simple.published(uri, None)
    simple.open(uri, FINDING)
    assert len(simple.published(uri)) == 1
    simple.open(uri, "", version=1)
    assert simple.published(uri, 1) == []


def test_columns_are_in_the_encoding_of_the_client(encoded: tuple[Client, PositionEncoding]) -> None:
    client, encoding = encoded
    client.open(URI, "# 🎉é\n    return 'é🎉'  # PAL001\n")
    (found,) = client.published(URI)
    units = {PositionEncoding.UTF8: 2 + 4, PositionEncoding.UTF16: 1 + 2, PositionEncoding.UTF32: 1 + 1}[encoding]
    assert found["range"] == span(1, 4, 4 + len("return ''") + units)


def test_a_client_that_shows_more_gets_more(fresh_scripted: Client, tmp_path: Path) -> None:
    client = fresh_scripted
    other = tmp_path / "other.py"
    other.write_text("first\n🎉x second\n")
    client.initialize(rich(codeDescriptionSupport=True))
    client.open(URI, f"x = 0\nreturn x  # PAL001 related tag=unnecessary\nreturn y  # PAL001 related={other}\n")
    here, there = client.published(URI)
    assert here["codeDescription"] == {"href": "https://pallas-lsp.readthedocs.io/en/latest/rules/scripted-rule/"}
    assert here["tags"] == [1]
    assert here["relatedInformation"] == [
        {"location": {"uri": URI, "range": span(0, 0, 1)}, "message": "launched here"}
    ]
    assert there["relatedInformation"] == [
        {"location": {"uri": other.as_uri(), "range": span(1, 0, 5)}, "message": "over there"}
    ]


def test_a_client_that_shows_less_gets_less(simple: Client) -> None:
    simple.open(URI, "x = 0\nreturn x  # PAL001 related tag=unnecessary\n")
    (found,) = simple.published(URI)
    assert found.keys() == {"range", "severity", "code", "source", "message"}


def test_a_related_place_in_an_open_document_has_the_uri_of_the_editor(neovim: Client, tmp_path: Path) -> None:
    uri = f"file://{tmp_path}/other%2Epy"
    neovim.open(uri, "a\nb\n")
    neovim.open(URI, f"return 1  # PAL001 related={tmp_path}/other.py\n")
    (found,) = neovim.published(URI)
    assert found["relatedInformation"][0]["location"]["uri"] == uri


@pytest.mark.parametrize(
    ("uri", "language", "is_checked"),
    [
        ("file:///a.py", "python", True),
        ("file:///a.pyi", "plaintext", True),
        ("file:///a.py", "plaintext", True),
        ("file:///notes", "python", True),
        ("file:///notes.txt", "plaintext", False),
        ("file:///nb.ipynb", "json", False),
        ("file:///.virtual_documents/nb.ipynb", "python", True),
        ("untitled:Untitled-1", "python", True),
        ("untitled:Untitled-2", "plaintext", False),
        ("file://", "python", True),
        ("", "python", True),
        ("vscode-notebook-cell:/nb.ipynb#W0sZmlsZQ%3D%3D", "python", True),
        ("git:/a.py?%7B%22ref%22%3A%22%22%7D", "python", True),
        ("jupyter://[bad", "python", True),
    ],
)
def test_what_is_python_is_checked(simple: Client, uri: str, language: str, is_checked: bool) -> None:
    simple.open(uri, "", language=language)
    simple.change(uri, 2, "return 1  # PAL001")
    if is_checked:
        assert len(simple.published(uri, 2)) == 1
        simple.close(uri)
        assert simple.published(uri, None) == []
    else:
        simple.close(uri)
        simple.take_all()
        assert [message for message in simple.received if message["params"].get("uri") == uri] == []


def test_documents_that_are_not_open_are_no_reason_to_fail(simple: Client) -> None:
    uri = "file:///never/opened.py"
    simple.change(uri, 2, "return 1  # PAL001")
    simple.close(uri)
    simple.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    assert simple.code_actions(uri, span(0, 0, 0)) == []
    assert pulled(simple, uri) == {"kind": "full", "items": []}
    simple.open(uri, "return 1  # PAL001", version=7)
    assert len(simple.published(uri, 7)) == 1
    assert [message for message in simple.received if message["method"] != "textDocument/publishDiagnostics"] == []


def test_an_update_with_the_version_of_the_one_before_counts(simple: Client) -> None:
    # JupyterLab counts so.
    simple.open(URI, "", version=0)
    assert simple.published(URI, 0) == []
    simple.change(URI, 0, "return 1  # PAL001")
    assert len(simple.published(URI, 0)) == 1


def test_what_is_out_of_date_is_not_published(pipe: Pipe, fresh_scripted: Client) -> None:
    client = fresh_scripted
    client.initialize({})
    client.open(URI, f"return 1  # PAL001 wait={pipe.path}\n")
    pipe.wait_for_reader()
    for version in range(2, 30):
        client.change(URI, version, f"return {version}  # PAL001\n")
    client.take_all()
    pipe.release()
    assert [found["message"] for found in client.published(URI, 29)] == ["found `return 29`"]
    assert client.received == []


def test_what_is_closed_meanwhile_is_not_published(pipe: Pipe, fresh_scripted: Client) -> None:
    client = fresh_scripted
    client.initialize({})
    client.open(URI, f"return 1  # PAL001 wait={pipe.path}\n")
    pipe.wait_for_reader()
    client.close(URI)
    client.take_all()
    pipe.release()
    client.open("file:///next.py", "")
    client.published("file:///next.py")
    assert client.received == []


def test_after_a_crash_of_the_check_the_next_version_is_checked(simple: Client) -> None:
    simple.open("file:///crash.py", "return 1  # PAL001 crash\n")
    assert simple.published("file:///crash.py") == []
    simple.notification("window/logMessage", lambda params: "crashed" in params["message"])
    simple.change("file:///crash.py", 2, "return 1  # PAL001\n")
    assert len(simple.published("file:///crash.py", 2)) == 1


def test_a_save_checks_everything_anew_if_files_are_not_watched(neovim: Client, tmp_path: Path) -> None:
    kernel = tmp_path / "kernel.py"
    neovim.open(kernel.as_uri(), "return 1  # PAL001\n")
    assert len(neovim.published(kernel.as_uri())) == 1
    (tmp_path / "pallas-lsp.toml").write_text('ignore = ["PAL001"]\n')
    neovim.notify("textDocument/didSave", {"textDocument": {"uri": kernel.as_uri()}})
    assert neovim.published(kernel.as_uri()) == []


# Asked for.


def test_a_client_that_asks_gets_nothing_published(vscode: Client) -> None:
    vscode.open(URI, FINDING)
    report = pulled(vscode, URI)
    assert report["kind"] == "full"
    assert [found["range"] for found in report["items"]] == [span(1, 2, 10)]
    vscode.close(URI)
    vscode.take_all()
    assert vscode.received == []


def test_a_report_that_the_client_has_is_not_sent_again(vscode: Client) -> None:
    vscode.open(URI, FINDING)
    first = pulled(vscode, URI)
    assert pulled(vscode, URI, first["resultId"]) == {"kind": "unchanged", "resultId": first["resultId"]}
    assert pulled(vscode, URI) == first
    assert pulled(vscode, URI, "something else") == first


def test_a_new_text_has_a_new_report(vscode: Client) -> None:
    # Even with the same diagnostics: an editor may have moved or dropped what it showed.
    vscode.open(URI, FINDING)
    first = pulled(vscode, URI)
    vscode.change(URI, 2, FINDING)
    second = pulled(vscode, URI, first["resultId"])
    assert (second["kind"], second["items"]) == ("full", first["items"])
    assert second["resultId"] != first["resultId"]


def test_a_document_that_is_opened_again_has_a_new_report(vscode: Client) -> None:
    vscode.open(URI, FINDING)
    first = pulled(vscode, URI)
    vscode.close(URI)
    assert pulled(vscode, URI, first["resultId"]) == {"kind": "full", "items": []}
    vscode.open(URI, FINDING)
    assert pulled(vscode, URI, first["resultId"])["kind"] == "full"


def test_an_answer_is_for_the_newest_text(pipe: Pipe, fresh_scripted: Client) -> None:
    client = fresh_scripted
    client.initialize(VSCODE)
    client.open(URI, f"return 1  # PAL001 wait={pipe.path}\n")
    asked = client.begin("textDocument/diagnostic", {"textDocument": {"uri": URI}})
    pipe.wait_for_reader()
    client.change(URI, 2, "return 2  # PAL001\n")
    client.take_all()
    pipe.release()
    assert [found["message"] for found in client.finish(asked)["items"]] == ["found `return 2`"]


# The real check.

KERNEL = """\
from jax.experimental import pallas as pl

def add(x_ref, y_ref, o_ref):
    return x_ref[...] + y_ref[...]  # é🎉

out = pl.pallas_call(add, out_shape=None)(1, 2)
"""


def test_the_server_finds_what_the_command_line_finds(fresh: Client) -> None:
    fresh.initialize({})
    fresh.open("file:///work/add.py", KERNEL)
    (found,) = fresh.published("file:///work/add.py")
    (expected,) = check(KERNEL).findings
    assert (found["code"], found["message"]) == (expected.code, expected.message)
    assert found["range"]["start"] == {"line": 3, "character": 4}


def test_a_change_of_one_file_changes_what_is_found_in_another(fresh: Client, tmp_path: Path) -> None:
    kernel, helper = (tmp_path / "kernel.py").as_uri(), (tmp_path / "helper.py").as_uri()
    (tmp_path / "helper.py").write_text("def finish(ref):\n    ref[...] = 0\n")
    fresh.initialize({}, folders=[tmp_path])
    fresh.open(
        kernel,
        "from jax.experimental import pallas as pl\nfrom helper import finish\n\n"
        "def kernel(x_ref, o_ref):\n    return finish(o_ref)\n\npl.pallas_call(kernel, out_shape=None)(1)\n",
    )
    assert fresh.published(kernel) == []
    fresh.open(helper, "def finish(ref):\n    return 1\n")
    assert [found["code"] for found in fresh.published(kernel)] == ["PAL001"]
    fresh.change(helper, 2, "def finish(ref):\n    return None\n")
    assert fresh.published(kernel) == []
    fresh.change(helper, 3, "def finish(ref):\n    return 1\n")
    assert len(fresh.published(kernel)) == 1
    fresh.close(helper)
    assert fresh.published(kernel) == []


def test_what_is_not_analysed_is_a_hint(fresh: Client) -> None:
    fresh.initialize({})
    fresh.open("file:///work/add.py", f"{KERNEL}ok = 1\n  print('🎉')  # é\n  print()\n")
    found, hint = fresh.published("file:///work/add.py")
    assert found["code"] == "PAL001"
    assert hint == {
        "range": span(7, 2, 18),
        "severity": 4,
        "source": "pallas-lsp",
        "message": "unexpected indent; this block is not analysed",
    }


def test_a_hint_takes_one_line(fresh: Client) -> None:
    fresh.initialize({})
    fresh.open(URI, "import pallas\nok = 1\n  y = (\n  1,\n  )\n")
    (hint,) = fresh.published(URI)
    assert hint["range"]["start"]["line"] == hint["range"]["end"]["line"]


@pytest.mark.parametrize(
    "text",
    [
        "x = = 1\n",  # a program without kernels
        f"{KERNEL}def other(x_ref, o_ref):\n    o_ref.\n",
        f"{KERNEL}for x in out:\n",
        f"{KERNEL}print(1,\n",
        f"{KERNEL}x = = 1\n",
    ],
)
def test_what_is_being_typed_is_no_hint(fresh: Client, text: str) -> None:
    fresh.initialize({})
    fresh.open(URI, text)
    assert [found.get("code") for found in fresh.published(URI) if found.get("code") != "PAL001"] == []

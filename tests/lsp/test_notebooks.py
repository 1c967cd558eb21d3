"""Notebooks: their Python cells are one program, and each has its own diagnostics and edits."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from lsp.client import VSCODE, Client, Json
from lsp.conftest import SCRIPTED_SERVER

NOTEBOOK = "file:///work/nb.ipynb"
# As VS Code spells them: the percent signs are part of the name.
ONE, TWO, THREE = (f"vscode-notebook-cell:/work/nb.ipynb#W{n}sZmlsZQ%3D%3D" for n in range(3))


def cell(uri: str, kind: int = 2) -> Json:
    return {"kind": kind, "document": uri}


def item(uri: str, text: str, language: str = "python", version: int = 1) -> Json:
    return {"uri": uri, "languageId": language, "version": version, "text": text}


def opened(client: Client, **texts: str) -> None:
    """Opens the notebook with these texts, by name of the cell."""
    uris = {"one": ONE, "two": TWO, "three": THREE}
    client.notify(
        "notebookDocument/didOpen",
        {
            "notebookDocument": {
                "uri": NOTEBOOK,
                "notebookType": "jupyter-notebook",
                "version": 1,
                "cells": [cell(uris[name]) for name in texts],
            },
            "cellTextDocuments": [item(uris[name], text) for name, text in texts.items()],
        },
    )


def changed(client: Client, **cells: Any) -> None:
    client.notify(
        "notebookDocument/didChange",
        {"notebookDocument": {"uri": NOTEBOOK, "version": 2}, "change": {"cells": cells}},
    )


def closed(client: Client, *cells: str) -> None:
    client.notify(
        "notebookDocument/didClose",
        {"notebookDocument": {"uri": NOTEBOOK}, "cellTextDocuments": [{"uri": uri} for uri in cells]},
    )


def span(line: int, start: int, end: int) -> Json:
    return {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}


WHOLE = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}


def places(diagnostics: list[Json]) -> list[tuple[str, Json]]:
    return [(diagnostic["message"], diagnostic["range"]) for diagnostic in diagnostics]


def test_each_cell_has_its_diagnostics_in_its_own_lines(vscode: Client) -> None:
    opened(vscode, one="x = 0\nreturn 1  # PAL001\n", two="", three="%matplotlib inline\n\n return '🎉'  # PAL001")
    assert places(vscode.published(ONE)) == [("found `return 1`", span(1, 0, 8))]
    assert places(vscode.published(TWO)) == []
    assert places(vscode.published(THREE)) == [("found `return '🎉'`", span(2, 1, 12))]
    closed(vscode, ONE, TWO, THREE)
    assert [vscode.published(uri, None) for uri in (ONE, TWO, THREE)] == [[], [], []]
    assert vscode.documents() == {}


def test_a_client_that_asks_for_a_cell_gets_nothing_twice(vscode: Client) -> None:
    opened(vscode, one="return 1  # PAL001")
    assert len(vscode.published(ONE)) == 1
    asked = {"textDocument": {"uri": ONE}}
    assert vscode.request("textDocument/diagnostic", asked) == {"kind": "full", "items": []}
    closed(vscode, ONE)
    vscode.published(ONE, None)


def test_the_cells_are_checked_as_one_program() -> None:
    capabilities = copy.deepcopy(VSCODE)
    with Client() as client:
        client.initialize(capabilities)
        opened(
            client,
            one="from jax.experimental import pallas as pl",
            two="def kernel(x_ref, o_ref):\n    return x_ref[...]",
            three="pl.pallas_call(kernel, out_shape=None)(1)",
        )
        found = {uri: client.published(uri) for uri in (ONE, TWO, THREE)}
        assert [len(found[uri]) for uri in (ONE, TWO, THREE)] == [0, 1, 0]
        (related,) = found[TWO][0]["relatedInformation"]
        assert related["location"]["uri"] == THREE
        assert related["location"]["range"]["start"]["line"] == 0


def test_a_change_of_a_cell(vscode: Client) -> None:
    opened(vscode, one="return 1  # PAL001", two="return 2  # PAL001")
    vscode.published(TWO)
    change = {"range": span(0, 7, 8), "text": "🎉\n"}
    document = {"uri": ONE, "version": 2}
    changed(vscode, textContent=[{"document": document, "changes": [change]}])
    assert places(vscode.published(ONE, 2)) == []
    change = {"range": span(0, 7, 9), "text": "3  # PAL001"}
    changed(vscode, textContent=[{"document": {"uri": ONE, "version": 3}, "changes": [change]}])
    assert places(vscode.published(ONE, 3)) == [("found `return 3`", span(0, 0, 8))]
    closed(vscode, ONE, TWO)
    vscode.published(ONE, None)


def test_cells_are_inserted_and_deleted(vscode: Client) -> None:
    opened(vscode, one="return 1  # PAL001", two="return 2  # PAL001")
    vscode.published(TWO)
    array = {"start": 1, "deleteCount": 1, "cells": [cell(THREE)]}
    changed(
        vscode,
        structure={"array": array, "didOpen": [item(THREE, "return 3  # PAL001")], "didClose": [{"uri": TWO}]},
    )
    assert vscode.published(TWO, None) == []
    assert places(vscode.published(THREE)) == [("found `return 3`", span(0, 0, 8))]
    assert vscode.documents().keys() == {ONE, THREE}
    closed(vscode, ONE, THREE)
    vscode.published(THREE, None)


def test_a_cell_that_is_not_code_or_not_python_is_left_out(vscode: Client) -> None:
    opened(vscode, one="return 1  # PAL001", two="return 2  # PAL001")
    vscode.published(TWO)
    changed(vscode, data=[cell(TWO, kind=1)])
    assert vscode.published(TWO, None) == []
    array = {"start": 0, "deleteCount": 1, "cells": [cell(ONE)]}
    other_language = [item(ONE, "return 1  # PAL001", language="julia")]
    changed(vscode, structure={"array": array, "didOpen": other_language, "didClose": [{"uri": ONE}]})
    assert vscode.published(ONE, None) == []
    assert vscode.code_actions(ONE, WHOLE) == []
    assert vscode.code_actions(TWO, WHOLE) == []
    closed(vscode, ONE, TWO)


def test_what_is_not_open_is_no_reason_to_fail(vscode: Client) -> None:
    changed(vscode, textContent=[{"document": {"uri": ONE, "version": 2}, "changes": [{"text": ""}]}])
    closed(vscode, ONE)
    vscode.notify(
        "notebookDocument/didChange",
        {"notebookDocument": {"uri": NOTEBOOK, "version": 2}, "change": {"metadata": {}}},
    )
    vscode.take_all()
    assert [message for message in vscode.received if message["method"].startswith("window/")] == []


@pytest.fixture
def notebook(vscode: Client) -> Any:
    opened(vscode, one="return 1  # PAL001 safe", two="x = 0\nreturn 2  # PAL001 safe\n", three="")
    vscode.published(THREE)
    yield vscode
    closed(vscode, ONE, TWO, THREE)
    vscode.published(THREE, None)


def test_a_quick_fix_edits_its_cell(notebook: Client) -> None:
    actions = notebook.code_actions(TWO, WHOLE)
    (change,) = actions[0]["edit"]["documentChanges"]
    assert change["textDocument"] == {"uri": TWO, "version": 1}
    assert change["edits"] == [{"range": span(1, 0, 7), "newText": "o[...] = "}]
    assert [action["title"] for action in actions] == [
        "Store the value",
        "Fix all PAL001 (scripted-rule) problems in this notebook",
        "Ignore PAL001 on this line",
    ]
    (comment,) = actions[-1]["edit"]["documentChanges"]
    assert comment["textDocument"] == {"uri": TWO, "version": 1}


@pytest.mark.parametrize("only", [["source.fixAll"], ["source"], ["source.fixAll.pallas-lsp"]])
def test_a_cell_alone_is_not_fixed_all(notebook: Client, only: list[str]) -> None:
    assert notebook.code_actions(TWO, WHOLE, only=only) == []


@pytest.mark.parametrize("only", [["notebook.source"], ["notebook.source.fixAll.pallas-lsp"]])
def test_a_notebook_is_fixed_all_over_its_cells(notebook: Client, only: list[str]) -> None:
    (action,) = notebook.code_actions(TWO, WHOLE, only=only)
    assert action["kind"] == "notebook.source.fixAll.pallas-lsp"
    resolved = notebook.request("codeAction/resolve", action)
    assert resolved["edit"]["documentChanges"] == [
        {"textDocument": {"uri": uri, "version": 1}, "edits": [{"range": span(line, 0, 6), "newText": "o[...] ="}]}
        for uri, line in ((ONE, 0), (TWO, 1))
    ]


# The real check and its fixes, on what IPython reads in its own way.

IMPORTS = "%pip install jax\nimport jax\nfrom jax.experimental import pallas as pl"
KERNEL = "!nvidia-smi\r\ndef add_one(x_ref, o_ref):\r\n    return x_ref[...] + 1  # 漢\r\nfiles = !ls"
LAUNCH = "x = jax.numpy.ones((8, 128))\npl.pallas_call(add_one, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype))(x)"


@pytest.fixture
def real() -> Any:
    """The server itself, for VS Code."""
    with Client() as client:
        client.initialize(VSCODE)
        yield client


def edits_of(action: Json) -> dict[str, list[Json]]:
    return {change["textDocument"]["uri"]: change["edits"] for change in action["edit"]["documentChanges"]}


def test_magics_are_no_errors_and_stay(real: Client) -> None:
    opened(real, one=IMPORTS, two=KERNEL, three=LAUNCH)
    assert (real.published(ONE), real.published(THREE)) == ([], [])
    (found,) = real.published(TWO)
    assert (found["code"], found["range"]) == ("PAL001", span(2, 4, 25))
    assert real.code_actions(TWO, found["range"])[0]["edit"]["documentChanges"][0]["textDocument"]["uri"] == TWO
    (action,) = real.code_actions(TWO, WHOLE, only=["notebook.source.fixAll"])
    expected = {TWO: [{"range": span(2, 4, 10), "newText": "o_ref[...] ="}]}
    assert edits_of(real.request("codeAction/resolve", action)) == expected


def test_a_fix_of_more_lines_has_the_line_breaks_of_its_cell(real: Client) -> None:
    kernel = (
        "def add_one(x_ref, o_ref):\r\n    if early:\r\n        return x_ref[...]\r\n    x = 1\r\n    return x_ref[...]"
    )
    opened(real, one=IMPORTS, two=kernel, three=LAUNCH)
    assert len(real.published(TWO)) == 2
    actions = real.code_actions(TWO, WHOLE)
    new_texts = [edit["newText"] for action in actions if "edit" in action for edit in edits_of(action)[TWO]]
    assert any("\n" in text for text in new_texts)
    assert not any("\n" in text.replace("\r\n", "") for text in new_texts)


def test_the_argument_of_a_magic_is_checked_and_not_changed(real: Client) -> None:
    opened(real, one=IMPORTS, two=f"%%time\n{KERNEL}", three=LAUNCH)
    (found,) = real.published(TWO)
    actions = real.code_actions(TWO, found["range"])
    assert {action["disabled"]["reason"] for action in actions} == {"The cell is the argument of a `%%` magic."}
    assert real.code_actions(TWO, WHOLE, only=["notebook.source.fixAll"]) == []


def test_a_cell_that_does_not_parse_does_not_blind_the_others(real: Client) -> None:
    opened(real, one=f"{IMPORTS}\nx = '''", two=KERNEL, three=LAUNCH)
    assert [found["code"] for found in real.published(TWO)] == ["PAL001"]


def test_what_is_not_analysed_is_a_hint_in_its_cell(real: Client) -> None:
    opened(real, one=IMPORTS, two="ok = 1\n  x = 1", three="y = 1\nif y:\n\n    y\n      y")
    assert real.published(ONE) == []
    assert [(found["severity"], found["range"]) for found in real.published(TWO)] == [(4, span(1, 2, 7))]
    assert [(found["severity"], found["range"]) for found in real.published(THREE)] == [(4, span(4, 6, 7))]


def test_the_one_document_that_jupyterlab_makes_of_a_notebook(real: Client) -> None:
    uri = "file:///work/.virtual_documents/nb.ipynb"
    text = "\n\n\n".join((IMPORTS, KERNEL.replace("\r", ""), LAUNCH))
    real.open(uri, text)
    (found,) = real.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})["items"]
    assert (found["code"], found["range"]) == ("PAL001", span(7, 4, 25))
    (action,) = real.code_actions(uri, WHOLE, only=["source.fixAll"])
    edits = {uri: [{"range": span(7, 4, 10), "newText": "o_ref[...] ="}]}
    assert edits_of(real.request("codeAction/resolve", action)) == edits
    real.change(uri, 2, f"  {text}")
    (found,) = real.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})["items"]
    assert found["range"] == span(7, 4, 25)


def test_notebooks_of_a_client_without_them_are_not_offered() -> None:
    capabilities = copy.deepcopy(VSCODE)
    del capabilities["notebookDocument"]
    with Client(SCRIPTED_SERVER) as client:
        assert "notebookDocumentSync" not in client.initialize(capabilities)["capabilities"]

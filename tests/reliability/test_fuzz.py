"""Random messages, settings and notebooks: a server answers every request, and nothing is ever a crash."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given
from hypothesis import strategies as st

from pallas_lsp.config import OPTIONS, ConfigError, layer_from_options, problems_in
from pallas_lsp.notebooks.checking import check_notebook
from pallas_lsp.notebooks.file import Notebook, NotebookError
from tests.cli.test_process import KERNEL
from tests.examples import examples
from tests.lsp.client import SERVER, VSCODE, Client

WORDS = st.sampled_from(["", "a", "PAL001", "ALL", "error", "**/*.py", "{a,b}", "[", "\0", "\ud800", "/", "1.0"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2**70) | st.floats() | st.text(max_size=4) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS | st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)

# -- settings --------------------------------------------------------------------------------------------------------

KEYS = st.sampled_from([*(option.key for option in OPTIONS), "", "unknown", "tool"])


@examples(300)
@given(st.dictionaries(KEYS, JSON, max_size=3))
def test_any_settings_of_an_editor_are_used_or_refused(options: dict[str, Any]) -> None:
    try:
        layer_from_options(options, root="/p")
    except ConfigError as error:
        assert error.problem


LINES = st.sampled_from(
    [
        *(option.example for option in OPTIONS),
        *(
            "[tool.pallas-lsp]",
            "[tool]",
            "[[tool.pallas-lsp]]",
            "[tool.pallas-lsp.severity]",
            "select = [",
            "]",
            "'''",
            '"""',
        ),
        *(
            "select = 1",
            "select.a = 2",
            "'a'.\"b\" = 1",
            "a" * 40,
            "= =",
            "\0",
            "#",
            "extend = 'x'",
            "x = " + "[" * 2_000,
        ),
        *("x = " + "{a=" * 2_000, "[" * 2_000, "a." * 2_000 + "b = 1", "x = 2020-01-01", "x = " + "9" * 5_000),
    ]
)


@examples(200)
@given(st.lists(LINES | st.text(max_size=8), max_size=8), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_any_text_of_a_settings_file_has_problems_at_its_places(lines: list[str], newline: str, ours: bool) -> None:
    text = newline.join(lines)
    for problem in problems_in("/p/pallas-lsp.toml" if ours else "/p/pyproject.toml", text):
        assert problem.message
        assert problem.range.start <= problem.range.end
        assert problem.range.end.line < len(text.split("\n"))


# -- notebooks -------------------------------------------------------------------------------------------------------

SOURCES = st.sampled_from(
    [KERNEL, *KERNEL.splitlines(keepends=True), "%%bash\nx", "!ls", "x = (", "\r", "\ud800"]
) | st.text(max_size=9)
CELLS = st.fixed_dictionaries(
    {"cell_type": st.sampled_from(["code", "markdown", "raw"]), "source": SOURCES | st.lists(SOURCES, max_size=3)},
    optional={"metadata": JSON, "outputs": JSON},
)
NOTEBOOKS = JSON | st.fixed_dictionaries(
    {"nbformat": st.sampled_from([3, 4, 4.0, "4", True]), "cells": st.lists(CELLS | JSON, max_size=4)},
    optional={"metadata": JSON, "worksheets": JSON},
)


@examples(200)
@given(NOTEBOOKS, st.sampled_from([None, 1, 2]), st.booleans())
def test_any_notebook_is_checked_or_refused_and_stays_as_it_is(content: Any, indent: int | None, plain: bool) -> None:
    data = json.dumps(content, indent=indent, ensure_ascii=plain).encode("utf-8", "surrogatepass")
    try:
        notebook = Notebook.of(data)
    except NotebookError as error:
        assert str(error)
        return
    assert check_notebook(notebook.sources).crashes == ()
    kept = {number: source for number, source in enumerate(notebook.sources) if source is not None}
    assert notebook.with_cells(kept) == data
    changed = notebook.with_cells({number: source + "\nx" for number, source in kept.items()})
    assert [source for source in Notebook.of(changed).sources if source is not None] == [
        source + "\nx" for source in kept.values()
    ]


# -- messages --------------------------------------------------------------------------------------------------------

URIS = st.sampled_from(["file:///f/k.py", "file:///f/other.py", "file:///f/n.ipynb", "cell:1", "cell:2", ""])
PLACES = st.fixed_dictionaries({"line": st.integers(-1, 30), "character": st.integers(-1, 80)})
RANGES = st.fixed_dictionaries({"start": PLACES, "end": PLACES})
TEXTS = st.sampled_from([KERNEL, "", "x", "\n", "(", '"""', "    return 1\n", "😀", "# noqa", "\r"])
DOCUMENT = st.fixed_dictionaries({"uri": URIS})
VERSIONED = st.fixed_dictionaries({"uri": URIS, "version": st.integers(-1, 9)})
LANGUAGES = st.sampled_from(["python", "markdown", "toml", "rust"])
ITEM = st.fixed_dictionaries({"uri": URIS, "languageId": LANGUAGES, "version": st.just(1), "text": TEXTS})
ITEMS, ALL = st.lists(ITEM), st.lists(DOCUMENT)
CHANGES = st.lists(st.fixed_dictionaries({"text": TEXTS}, optional={"range": RANGES}), max_size=3)
CELL = st.fixed_dictionaries({"kind": st.integers(1, 2), "document": URIS})
CONTEXT = st.fixed_dictionaries(
    {"diagnostics": st.just([])}, optional={"only": st.lists(st.sampled_from(["quickfix", "source"]))}
)
SPLICE = st.fixed_dictionaries(
    {"start": st.integers(0, 3), "deleteCount": st.integers(0, 3)}, optional={"cells": st.lists(CELL)}
)
STRUCTURE = st.fixed_dictionaries(
    {"array": SPLICE}, optional={"didOpen": st.lists(ITEM), "didClose": st.lists(DOCUMENT)}
)
CELL_CHANGES = st.fixed_dictionaries(
    {},
    optional={
        "structure": STRUCTURE,
        "data": st.lists(CELL),
        "textContent": st.lists(st.fixed_dictionaries({"document": VERSIONED, "changes": CHANGES})),
    },
)
NOTEBOOK = st.fixed_dictionaries(
    {
        "uri": URIS,
        "notebookType": st.just("jupyter-notebook"),
        "version": st.just(1),
        "cells": st.lists(CELL, max_size=3),
    }
)
PARAMS: dict[str, st.SearchStrategy[Any]] = {
    "textDocument/didOpen": st.fixed_dictionaries({"textDocument": ITEM}),
    "textDocument/didChange": st.fixed_dictionaries({"textDocument": VERSIONED, "contentChanges": CHANGES}),
    "textDocument/didClose": st.fixed_dictionaries({"textDocument": DOCUMENT}),
    "textDocument/didSave": st.fixed_dictionaries({"textDocument": DOCUMENT}),
    "textDocument/codeAction": st.fixed_dictionaries({"textDocument": DOCUMENT, "range": RANGES, "context": CONTEXT}),
    "textDocument/hover": st.fixed_dictionaries({"textDocument": DOCUMENT, "position": PLACES}),
    "textDocument/diagnostic": st.fixed_dictionaries({"textDocument": DOCUMENT}),
    "workspace/executeCommand": st.fixed_dictionaries({"command": st.just("pallas-lsp.debugInformation")}),
    "workspace/didChangeConfiguration": st.fixed_dictionaries({"settings": JSON}),
    "workspace/didChangeWatchedFiles": st.just({"changes": []}),
    "notebookDocument/didOpen": st.fixed_dictionaries({"notebookDocument": NOTEBOOK, "cellTextDocuments": ITEMS}),
    "notebookDocument/didChange": st.fixed_dictionaries(
        {"notebookDocument": VERSIONED, "change": st.fixed_dictionaries({}, optional={"cells": CELL_CHANGES})}
    ),
    "notebookDocument/didClose": st.fixed_dictionaries({"notebookDocument": DOCUMENT, "cellTextDocuments": ALL}),
    "codeAction/resolve": st.fixed_dictionaries({"title": WORDS}, optional={"data": JSON}),
    "$/cancelRequest": st.fixed_dictionaries({"id": st.integers(0, 9)}),
    "$/unknown": JSON,
    "textDocument/unknown": JSON,
    "initialize": JSON,
}
METHODS = st.sampled_from(sorted(PARAMS))
MESSAGES = METHODS.flatmap(lambda method: st.tuples(st.just(method), PARAMS[method] | JSON, st.booleans()))
FOLDER = Path(__file__).parent


@examples(2, suppress_health_check=list(HealthCheck), phases=[Phase.generate])
@given(st.lists(st.lists(MESSAGES, min_size=1, max_size=8), min_size=20, max_size=30))
def test_any_messages_are_survived_and_requests_answered(sessions: list[list[tuple[str, Any, bool]]]) -> None:
    """Each example is a server, which is sent hundreds of messages."""
    with Client(SERVER) as client:
        client.initialize(VSCODE, folders=[FOLDER / "nowhere"])
        for messages in sessions:
            asked = []
            for method, params, is_request in messages:
                if is_request:
                    asked.append(client.begin(method, params))
                else:
                    client.notify(method, params)
            for number in asked:
                response = client.response(number)
                assert ("result" in response) is not ("error" in response)
                # What a client does wrong is its mistake, and never one of this program.
                assert response.get("error", {}).get("code") != -32603, (messages, response, client.stderr)
        assert "Traceback" not in client.stderr, client.stderr
        assert client.exit() == 0


def test_a_notification_that_is_sent_as_a_request_is_answered() -> None:
    with Client(SERVER) as client:
        client.initialize({})
        response = client.response(client.begin("textDocument/didClose", {"textDocument": {"uri": "file:///k.py"}}))
        assert response["error"]["code"] == -32600
        client.send_bytes(b"Content-Length: " + b"9" * 5_000 + b"\r\n\r\n")
        assert client.exit() == 0

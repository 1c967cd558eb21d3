"""What is shown besides findings: hover on kernels, inlay hints, code lenses, symbols."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lsp.client import Client, Json, ResponseError
from lsp.test_notebooks import IMPORTS, LAUNCH, ONE, THREE, TWO, opened

URI = "file:///work/insight.py"
TEXT = """\
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def scale(x_ref, é_ref, o_ref):
    o_ref[...] = x_ref[...] * é_ref[...]


def launch(x, y):
    return pl.pallas_call(
        scale,
        grid=(4,),
        in_specs=[pl.BlockSpec((8, 128), lambda i: (i, 0)), pl.BlockSpec((8, 128), lambda i: (i, 0))],
        out_specs=pl.BlockSpec((8, 128), lambda i: (i, 0)),
        out_shape=jax.ShapeDtypeStruct((32, 128), jnp.float32),
    )(x, y)
"""
CAPABILITIES: Json = {
    "textDocument": {
        "hover": {"contentFormat": ["markdown"]},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
    },
    "window": {"showDocument": {"support": True}},
    "workspace": {"inlayHint": {"refreshSupport": True}, "codeLens": {"refreshSupport": True}},
}
ENCODINGS = [("utf-8", 1), ("utf-16", 0), ("utf-32", 0)]
"""With what `é` takes more than one unit."""


def start(client: Client, options: Json | None = None, encoding: str = "utf-16", text: str = TEXT) -> None:
    client.initialize({**CAPABILITIES, "general": {"positionEncodings": [encoding]}}, options=options or {})
    client.open(URI, text)


def at(line: int, character: int, uri: str = URI) -> Json:
    return {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}


def spot(line: int, first: int, last: int) -> Json:
    return {"start": {"line": line, "character": first}, "end": {"line": line, "character": last}}


def hints(client: Client, first: int = 0, last: int = 100, uri: str = URI) -> list[Any]:
    asked = {"start": {"line": first, "character": 0}, "end": {"line": last, "character": 0}}
    found = client.request("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": asked})
    return [(hint["position"]["line"], hint["position"]["character"], hint["label"]) for hint in found]


@pytest.mark.parametrize(("encoding", "more"), ENCODINGS)
def test_hover_on_a_parameter(fresh: Client, encoding: str, more: int) -> None:
    start(fresh, encoding=encoding)
    said = "`o_ref`: output 0, `float32[8,128]`, spec at line 15, `out_shape` at line 16"
    for line, character, last in ((5, 24 + more, 29 + more), (6, 4, 9)):
        shown = fresh.request("textDocument/hover", at(line, character + 1))
        assert shown["contents"] == {"kind": "markdown", "value": said}
        assert shown["range"] == spot(line, character, last)


def test_hover_on_a_kernel_and_on_its_launch(fresh: Client) -> None:
    start(fresh)
    launch = (
        "`pallas_call` of `scale` at line 11, grid `(4,)`, 1 output\n\n"
        "- `x_ref`: input 0, `[8,128]`, spec at line 14, argument at line 17\n"
        "- `é_ref`: input 1, `[8,128]`, spec at line 14, argument at line 17\n"
        "- `o_ref`: output 0, `float32[8,128]`, spec at line 15, `out_shape` at line 16"
    )
    kernel = f"**kernel** `scale`\n\n{launch}"
    for position, said in (((5, 6), kernel), ((10, 14), launch), ((11, 9), launch)):
        assert fresh.request("textDocument/hover", at(*position))["contents"]["value"] == said
    assert fresh.request("textDocument/hover", at(12, 10)) is None


@pytest.mark.parametrize(("encoding", "more"), ENCODINGS)
def test_inlay_hints(fresh: Client, encoding: str, more: int) -> None:
    start(fresh, encoding=encoding)
    both = [
        (5, 15, "input [8,128]"),
        (5, 22 + more, "input [8,128]"),
        (5, 29 + more, "output float32[8,128]"),
    ]
    assert hints(fresh) == both
    assert hints(fresh, 6) == []


@pytest.mark.parametrize(
    ("options", "label"),
    [
        ({"inlayHints": {"shapes": False}}, ["output"]),
        ({"inlayHints": {"roles": False}}, ["float32[8,128]"]),
        ({"inlayHints": {"roles": False, "shapes": False}}, []),
        ({"inlayHints": {"roles": "no"}}, ["output float32[8,128]"]),
    ],
)
def test_inlay_hints_can_be_switched_off(fresh: Client, options: Json, label: list[str]) -> None:
    start(fresh, options)
    assert [text for _, _, text in hints(fresh)][-1:] == label


def test_launches_that_differ_have_in_common_what_is_hinted(fresh: Client) -> None:
    other = TEXT[TEXT.index("def launch") :].replace("def launch", "def other").replace("(8, 128)", "(16, 128)")
    start(fresh, text=f"{TEXT}\n\n{other}")
    assert [text for _, _, text in hints(fresh)] == ["input", "input", "output"]


def test_code_lenses_go_to_launches(fresh: Client) -> None:
    start(fresh)
    [lens, _] = fresh.request("textDocument/codeLens", {"textDocument": {"uri": URI}})
    assert lens["range"] == spot(5, 4, 9)
    assert lens["command"]["title"] == "launched at line 11, 1 output"
    fresh.answers["window/showDocument"] = lambda params: {"success": True}
    command = {"command": lens["command"]["command"], "arguments": lens["command"]["arguments"]}
    assert fresh.request("workspace/executeCommand", command) is True
    [asked] = [one["params"] for one in fresh.requested if one["method"] == "window/showDocument"]
    assert asked == {"uri": URI, "takeFocus": True, "selection": spot(10, 11, 11)}
    with pytest.raises(ResponseError):
        fresh.request("workspace/executeCommand", {**command, "arguments": []})


def test_code_lenses_can_be_switched_off(fresh: Client) -> None:
    start(fresh, {"codeLens": {"launches": False, "verify": False}})
    assert fresh.request("textDocument/codeLens", {"textDocument": {"uri": URI}}) == []


def test_a_client_that_shows_no_places_gets_titles(fresh: Client) -> None:
    fresh.initialize({})
    fresh.open(URI, TEXT)
    [lens, _] = fresh.request("textDocument/codeLens", {"textDocument": {"uri": URI}})
    assert lens["command"] == {"title": "launched at line 11, 1 output", "command": ""}


def test_symbols_of_a_document(fresh: Client) -> None:
    start(fresh)
    kernel, launch = fresh.request("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
    assert (kernel["name"], kernel["detail"], kernel["selectionRange"]) == ("scale", "kernel, 1 launch", spot(5, 4, 9))
    assert [(child["name"], child["detail"]) for child in kernel["children"]] == [
        ("x_ref", "input [8,128]"),
        ("é_ref", "input [8,128]"),
        ("o_ref", "output float32[8,128]"),
    ]
    assert (launch["name"], launch["detail"]) == ("pallas_call of scale", "grid (4,), 1 output")


def test_symbols_for_a_client_without_children(fresh: Client) -> None:
    fresh.initialize({})
    fresh.open(URI, TEXT)
    found = fresh.request("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
    assert [(one["name"], one["location"]["range"]["start"]["line"]) for one in found] == [
        ("scale", 5),
        ("pallas_call of scale", 10),
    ]


def test_symbols_of_the_workspace(fresh: Client, tmp_path: Path) -> None:
    """Kernels of files that are not open are found as well, with their launches in other files."""
    (tmp_path / "launches.py").write_text(
        TEXT.replace("def scale", "def unused").replace("import jax\n", "import jax\nfrom kernels import scale\n", 1)
    )
    (tmp_path / "kernels.py").write_text("def scale(x_ref, y_ref, o_ref):\n    o_ref[...] = x_ref[...] + y_ref[...]\n")
    fresh.initialize({}, folders=[tmp_path])
    fresh.open(URI, TEXT.replace("scale", "other"))

    def named(query: str) -> set[tuple[str, str]]:
        found = fresh.request("workspace/symbol", {"query": query})
        return {(one["name"], one["location"]["uri"].rpartition("/")[2]) for one in found}

    while ("scale", "kernels.py") not in named("SCL"):  # until the workspace has been looked through
        pass
    assert named("unused") == set()
    assert named("elacs") == set()


def test_insight_in_a_notebook(fresh: Client) -> None:
    fresh.initialize({"notebookDocument": {"synchronization": {}}})
    opened(fresh, one=IMPORTS, two="def add_one(x_ref, o_ref):\n    o_ref[...] = x_ref[...]", three=LAUNCH)
    assert [label for _, _, label in hints(fresh, uri=TWO)] == ["input float32[8,128]", "output float32[8,128]"]
    assert hints(fresh, uri=ONE) == []
    [lens] = fresh.request("textDocument/codeLens", {"textDocument": {"uri": TWO}})
    assert lens["command"]["title"].startswith("launched at cell 3, line ")
    said = fresh.request("textDocument/hover", at(1, 5, TWO))["contents"]["value"]
    assert said.startswith("o_ref: output 0, float32[8,128]")
    [symbol] = fresh.request("textDocument/documentSymbol", {"textDocument": {"uri": THREE}})
    assert symbol["name"] == "pallas_call of add_one"


def test_hints_are_asked_for_again_when_settings_change(fresh: Client) -> None:
    start(fresh)
    assert hints(fresh)
    fresh.notify("workspace/didChangeConfiguration", {"settings": {"inlayHints": {"roles": False, "shapes": False}}})
    assert hints(fresh) == []
    asked = {request["method"] for request in fresh.requested}
    assert {"workspace/inlayHint/refresh", "workspace/codeLens/refresh"} <= asked


def test_what_is_not_open_has_nothing(fresh: Client) -> None:
    start(fresh)
    other = "file:///work/other.py"
    assert hints(fresh, uri=other) == []
    for method in ("textDocument/codeLens", "textDocument/documentSymbol"):
        assert fresh.request(method, {"textDocument": {"uri": other}}) == []

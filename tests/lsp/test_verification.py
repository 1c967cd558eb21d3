"""The command `pallas-lsp.verifyKernel`, and its code lens."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lsp.client import Client, ResponseError

TEXT = """\
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def part(x_ref, o_ref):
    o_ref[0] = x_ref[0]


out = pl.pallas_call(part, out_shape=jax.ShapeDtypeStruct((8,), jnp.float32))(jnp.ones(8))
"""


def opened(client: Client, file: Path, **options: Any) -> str:
    file.write_text(TEXT)
    client.initialize({}, options=options, folders=[file.parent])
    client.open(file.as_uri(), TEXT)
    return file.as_uri()


@pytest.mark.jax
def test_what_jax_says_is_shown_until_the_document_changes(fresh: Client, tmp_path: Path) -> None:
    uri = opened(fresh, tmp_path / "k.py")
    lenses = fresh.request("textDocument/codeLens", {"textDocument": {"uri": uri}})
    command = lenses[-1]["command"]
    assert (command["title"], command["command"]) == ("verify in interpret mode", "pallas-lsp.verifyKernel")
    asked = {"command": command["command"], "arguments": command["arguments"]}
    answer = fresh.request("workspace/executeCommand", asked)
    assert answer["ran"] == [{"line": 9, "kernel": "part", "outputs": ["float32[8]"]}]
    said = "Output 0: 7 of 8 values are what interpret mode leaves where nothing is stored (NaN, or the least integer)."
    assert answer["problems"] == [{"line": 9, "message": said}]
    shown = fresh.notification("textDocument/publishDiagnostics", lambda params: bool(params["diagnostics"]))
    [diagnostic] = shown["diagnostics"]
    assert (diagnostic["source"], diagnostic["message"]) == ("jax", said)
    assert diagnostic["range"]["start"] == {"line": 9, "character": 0}
    told = fresh.notification("window/showMessage")
    assert told["message"] == "Pallas: 1 launch ran, 1 problem"
    fresh.change(uri, 2, TEXT + "# changed\n")
    cleared = fresh.notification("textDocument/publishDiagnostics", lambda params: params.get("version") == 2)
    assert cleared["diagnostics"] == []


@pytest.mark.jax
def test_a_position_names_the_kernel(fresh: Client, tmp_path: Path) -> None:
    uri = opened(fresh, tmp_path / "k.py")
    for line in (6, 9):
        place = {"uri": uri, "position": {"line": line, "character": 8}}
        answer = fresh.request("workspace/executeCommand", {"command": "pallas-lsp.verifyKernel", "arguments": [place]})
        assert [one["kernel"] for one in answer["ran"]] == ["part"]


def refused(client: Client, argument: Any) -> str:
    with pytest.raises(ResponseError) as raised:
        client.request("workspace/executeCommand", {"command": "pallas-lsp.verifyKernel", "arguments": [argument]})
    return str(raised.value)


def test_an_untrusted_workspace_is_not_run(fresh: Client, tmp_path: Path) -> None:
    uri = opened(fresh, tmp_path / "k.py", trusted=False)
    lenses = fresh.request("textDocument/codeLens", {"textDocument": {"uri": uri}})
    assert [lens["command"]["title"] for lens in lenses] == ["launched at line 10, 1 output"]
    assert refused(fresh, {"uri": uri}) == "-32803: the workspace is not trusted, so its code is not run"


def test_what_cannot_be_run(fresh: Client, tmp_path: Path) -> None:
    uri = opened(fresh, tmp_path / "k.py")
    assert "no kernel `other` is launched; there is part" in refused(fresh, {"uri": uri, "kernel": "other"})
    assert "is not an open Python file" in refused(fresh, {"uri": "untitled:1"})
    assert "takes one object with `uri`" in refused(fresh, 3)
    fresh.open("untitled:1", TEXT)
    assert "is not an open Python file" in refused(fresh, {"uri": "untitled:1"})


def test_the_lens_can_be_switched_off(fresh: Client, tmp_path: Path) -> None:
    uri = opened(fresh, tmp_path / "k.py", codeLens={"verify": False})
    assert len(fresh.request("textDocument/codeLens", {"textDocument": {"uri": uri}})) == 1


@pytest.mark.jax
def test_a_run_that_is_cancelled_ends(fresh: Client, tmp_path: Path) -> None:
    """The request may be cancelled; the process that runs the kernels is gone then."""
    marker = tmp_path / "ended"
    file = tmp_path / "k.py"
    text = f"import pathlib, time\npathlib.Path({str(tmp_path / 'begun')!r}).touch()\ntime.sleep(20)\n" + TEXT
    text += f"pathlib.Path({str(marker)!r}).touch()\n"
    file.write_text(text)
    fresh.initialize({}, folders=[tmp_path])
    fresh.open(file.as_uri(), text)
    asked = {"command": "pallas-lsp.verifyKernel", "arguments": [{"uri": file.as_uri()}]}
    number = fresh.begin("workspace/executeCommand", asked)
    while not (tmp_path / "begun").exists():
        fresh.request("workspace/executeCommand", {"command": "pallas-lsp.debugInformation"})
    fresh.notify("$/cancelRequest", {"id": number})
    with pytest.raises(ResponseError, match="-32800"):
        fresh.finish(number)
    assert fresh.request("workspace/executeCommand", {"command": "pallas-lsp.debugInformation"})
    assert not marker.exists()

"""Ways between kernels, parameters and launches: definition, references, highlights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lsp.client import Client
from lsp.test_insight import ENCODINGS, TEXT, URI, at, spot, start
from lsp.test_notebooks import IMPORTS, LAUNCH, THREE, TWO, opened

SPEC = (14, 18, 58)
OUT = (15, 18, 62)


def located(client: Client, method: str, line: int, character: int, uri: str = URI) -> list[Any]:
    asked = {**at(line, character, uri), "context": {"includeDeclaration": True}}
    found = client.request(f"textDocument/{method}", asked)
    return [one["range"] if one["uri"] == uri else (one["uri"].rpartition("/")[2], one["range"]) for one in found]


def highlighted(client: Client, line: int, character: int, uri: str = URI) -> list[Any]:
    return [one["range"] for one in client.request("textDocument/documentHighlight", at(line, character, uri))]


@pytest.mark.parametrize(("encoding", "more"), ENCODINGS)
def test_from_a_parameter_to_what_it_stands_for(fresh: Client, encoding: str, more: int) -> None:
    start(fresh, encoding=encoding)
    stands_for = [spot(*SPEC), spot(*OUT)]
    assert located(fresh, "definition", 5, 25 + more) == stands_for
    assert located(fresh, "references", 6, 5) == stands_for
    assert located(fresh, "definition", 6, 5) == []  # its `def` is told by a general server
    assert highlighted(fresh, 6, 5) == [spot(5, 24 + more, 29 + more), spot(6, 4, 9), *stands_for]


def test_from_what_a_parameter_stands_for(fresh: Client) -> None:
    start(fresh)
    uses = [spot(5, 24, 29), spot(6, 4, 9)]
    assert located(fresh, "references", 14, 22) == uses
    assert highlighted(fresh, 16, 6) == [spot(5, 10, 15), spot(6, 17, 22), spot(13, 18, 58), spot(16, 6, 7)]


def test_between_a_kernel_and_its_launches(fresh: Client) -> None:
    start(fresh)
    assert located(fresh, "references", 5, 6) == [spot(10, 11, 25)]
    assert highlighted(fresh, 5, 6) == [spot(5, 4, 9), spot(10, 11, 25)]


def test_launches_in_other_files(fresh: Client, tmp_path: Path) -> None:
    launches, kernels = tmp_path / "launches.py", tmp_path / "kernels.py"
    launches.write_text(
        TEXT.replace("def scale", "def unused").replace("import jax\n", "import jax\nfrom kernels import scale\n", 1)
    )
    text = "def scale(x_ref, y_ref, o_ref):\n    o_ref[...] = x_ref[...] + y_ref[...]\n"
    kernels.write_text(text)
    fresh.initialize({}, folders=[tmp_path])
    fresh.open(kernels.as_uri(), text)
    while not (found := located(fresh, "references", 0, 6, kernels.as_uri())):
        pass  # until the workspace has been looked through
    assert found == [("launches.py", spot(11, 11, 25))]
    assert highlighted(fresh, 0, 6, kernels.as_uri()) == [spot(0, 4, 9)]


def test_in_a_notebook(fresh: Client) -> None:
    fresh.initialize({"notebookDocument": {"synchronization": {}}})
    opened(fresh, one=IMPORTS, two="def add_one(x_ref, o_ref):\n    o_ref[...] = x_ref[...]", three=LAUNCH)
    asked = {**at(0, 6, TWO), "context": {"includeDeclaration": False}}
    [found] = fresh.request("textDocument/references", asked)
    assert (found["uri"], found["range"]) == (THREE, spot(1, 0, 14))


def test_elsewhere_there_is_nothing(fresh: Client) -> None:
    start(fresh)
    for method in ("definition", "references"):
        assert located(fresh, method, 0, 0) == []
        assert located(fresh, method, 0, 0, "file:///work/other.py") == []
    assert highlighted(fresh, 0, 0) == highlighted(fresh, 0, 0, "file:///work/other.py") == []

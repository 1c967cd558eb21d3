"""Hover: on a finding the rule, the message and what can be done; on a comment the rules that it is about."""

from __future__ import annotations

from typing import Any

import pytest

from lsp.client import Client
from lsp.test_notebooks import IMPORTS, LAUNCH, ONE, TWO, opened

URI = "file:///work/hover.py"
KERNEL = """\
import jax
from jax.experimental import pallas as pl


def add(x_ref, o_ref):
    '🎉'; return x_ref[...] + 1  # as a function would


out = pl.pallas_call(add, out_shape=jax.ShapeDtypeStruct((8,), "float32"))(jax.numpy.ones(8))
"""
MARKDOWN = {"textDocument": {"hover": {"contentFormat": ["markdown", "plaintext"]}}}


def hover(client: Client, line: int, character: int, uri: str = URI) -> Any:
    position = {"line": line, "character": character}
    return client.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": position})


@pytest.mark.parametrize(("encoding", "start"), [("utf-8", 12), ("utf-16", 10), ("utf-32", 9)])
def test_on_a_finding(fresh: Client, encoding: str, start: int) -> None:
    fresh.initialize({"general": {"positionEncodings": [encoding]}, **MARKDOWN})
    fresh.open(URI, KERNEL)
    shown = hover(fresh, 5, start + 2)
    assert shown["contents"]["kind"] == "markdown"
    text = shown["contents"]["value"]
    assert text.startswith(
        "[PAL001](https://pallas-lsp.readthedocs.io/en/latest/rules/returning-kernel/) returning-kernel: "
    )
    assert "It returns a PyTree: PyTreeDef(*)" in text
    assert "Fix: Store the result in `o_ref`." in text
    assert shown["range"]["start"] == {"line": 5, "character": start}
    assert hover(fresh, 5, start - 1) is None
    assert hover(fresh, 0, 0) is None


def test_a_client_without_markdown_gets_text(fresh: Client) -> None:
    fresh.initialize({})
    fresh.open(URI, KERNEL)
    contents = hover(fresh, 5, 12)["contents"]
    assert contents["kind"] == "plaintext"
    assert contents["value"].startswith("PAL001 returning-kernel: The kernel function in the pallas_call add")


@pytest.mark.parametrize(
    ("comment", "rules"),
    [
        ("# pallas: ignore[PAL001]", ["PAL001 returning-kernel: A kernel returns a value instead of storing it."]),
        ("# noqa: PAL001", ["PAL001 returning-kernel: A kernel returns a value instead of storing it."]),
        ("# pallas: ignore", []),
    ],
)
def test_on_a_comment(fresh: Client, comment: str, rules: list[str]) -> None:
    fresh.initialize({})
    fresh.open(URI, KERNEL.replace("# as a function would", comment))
    shown = hover(fresh, 5, 42)
    assert ([] if shown is None else shown["contents"]["value"].split("\n\n")) == rules


def test_in_a_cell(fresh: Client) -> None:
    fresh.initialize({"notebookDocument": {"synchronization": {}}})
    opened(fresh, one=IMPORTS, two="def add_one(x_ref, o_ref):\n    return x_ref[...]", three=LAUNCH)
    assert hover(fresh, 1, 6, TWO)["range"]["start"] == {"line": 1, "character": 4}
    assert hover(fresh, 0, 0, ONE) is None


def test_on_what_is_not_open(fresh: Client) -> None:
    fresh.initialize({})
    assert hover(fresh, 0, 0, "file:///nowhere.py") is None

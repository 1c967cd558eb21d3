"""`refactor.rewrite`: what nothing is wrong with, written in another way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lsp.client import Client
from lsp.test_code_actions import applied, span
from lsp.test_notebooks import ONE, TWO, opened
from pallas_lsp.conversions import conversions
from pallas_lsp.findings import Position, Range
from pallas_lsp.rewrite import Refusal
from pallas_lsp.text import PositionEncoding, SourceText
from tests.oracle.harness import difference, execute

URI = "file:///work/lambda.py"
TITLE = "Turn this lambda into a def"
TEXT = """\
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def run(x):
    shape = jax.ShapeDtypeStruct((8, 128), jnp.float32)
    return pl.pallas_call(lambda x_ref, o_ref: o_ref.__setitem__(..., x_ref[...] + len("é🎉")), out_shape=shape)(x)
"""
CONVERTED = """\
    shape = jax.ShapeDtypeStruct((8, 128), jnp.float32)

    def kernel(x_ref, o_ref):
        o_ref[...] = x_ref[...] + len("é🎉")

    return pl.pallas_call(kernel, out_shape=shape)(x)
"""
EXPECTED = TEXT[: TEXT.index("    shape")] + CONVERTED
COLUMN = TEXT.splitlines()[7].index("lambda") + 3


def start(client: Client, encoding: str = "utf-16", text: str = TEXT, disabled: bool = True) -> None:
    actions = {"disabledSupport": disabled, "codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}
    client.initialize({"general": {"positionEncodings": [encoding]}, "textDocument": {"codeAction": actions}})
    client.open(URI, text)


def offered(client: Client, range: dict[str, Any], **context: Any) -> list[dict[str, Any]]:
    return [action for action in client.code_actions(URI, range, **context) if action["title"] == TITLE]


@pytest.mark.parametrize("encoding", list(PositionEncoding))
def test_a_lambda_that_is_launched_becomes_a_def(fresh: Client, encoding: PositionEncoding) -> None:
    start(fresh, encoding.value)
    (action,) = offered(fresh, span(7, COLUMN))
    assert action["kind"] == "refactor.rewrite"
    assert "diagnostics" not in action
    assert applied(action["edit"], TEXT, encoding, URI) == EXPECTED


@pytest.mark.parametrize("range", [span(7, 4), span(6, 0, 0, 8), span(0, 0, 0, 8)])
def test_it_is_offered_inside_of_the_lambda_only(fresh: Client, range: dict[str, Any]) -> None:
    start(fresh)
    assert offered(fresh, range) == []


@pytest.mark.parametrize(
    ("only", "count"),
    [(["refactor"], 1), (["refactor.rewrite"], 1), (["quickfix"], 0), (["source"], 0), (["refactor.extract"], 0)],
)
def test_it_is_offered_when_its_kind_is_wanted(fresh: Client, only: list[str], count: int) -> None:
    start(fresh)
    assert len(offered(fresh, span(7, COLUMN), only=only)) == count


def test_it_is_not_offered_to_who_wants_to_be_rid_of_diagnostics(fresh: Client) -> None:
    start(fresh)
    other = {"range": span(7, COLUMN), "message": "no lambda", "code": "E731", "source": "Ruff"}
    assert offered(fresh, span(7, COLUMN), diagnostics=[other]) == []


def test_a_lambda_with_a_finding_has_fixes_instead(fresh: Client) -> None:
    text = TEXT.replace('o_ref.__setitem__(..., x_ref[...] + len("é🎉"))', 'x_ref[...] + len("é🎉")')
    start(fresh, text=text)
    assert offered(fresh, span(7, COLUMN)) == []
    assert fresh.code_actions(URI, span(7, COLUMN + 30))


@pytest.mark.parametrize("disabled", [True, False])
def test_where_it_is_not_possible_the_reason_is_told(fresh: Client, disabled: bool) -> None:
    text = TEXT.replace("return pl.", "return [pl.").replace("(x)\n", "(x) for x in (x,)]\n")
    start(fresh, text=text, disabled=disabled)
    found = offered(fresh, span(7, COLUMN + 1))
    reasons = ["The lambda stands in another lambda or a comprehension, and could use its variables."]
    assert [action["disabled"]["reason"] for action in found] == (reasons if disabled else [])
    assert not any("edit" in action for action in found)


def test_in_a_notebook_the_def_lands_in_the_cell(fresh: Client) -> None:
    fresh.initialize({"notebookDocument": {"synchronization": {}}})
    head, launch = TEXT.split("\n\n\n")
    opened(fresh, one=f"%pip install jax\n{head}\n", two=launch)
    (action,) = (one for one in fresh.code_actions(TWO, span(2, COLUMN)) if one["title"] == TITLE)
    assert applied(action["edit"], launch, PositionEncoding.UTF16, TWO) == EXPECTED.split("\n\n\n")[1]
    assert ONE not in action["edit"]["changes"]


@pytest.mark.jax
def test_jax_runs_the_def_like_the_lambda(tmp_path: Path) -> None:
    text = TEXT.replace("out_shape=shape", "out_shape=shape, interpret=True").replace(
        "def run(x):\n", "def run():\n    x = jnp.ones((8, 128))\n"
    )
    place = Position(8, COLUMN)
    (conversion,) = conversions(text, Range(place, place))
    assert not isinstance(conversion.rewrite, Refusal)
    outcomes = []
    for number, program in enumerate((text, SourceText(text).replaced(conversion.rewrite))):
        path = tmp_path / f"program{number}.py"
        path.write_text(program, encoding="utf-8")
        outcomes.append(execute(path))
    assert [outcome.message for outcome in outcomes] == ["", ""]
    assert difference(outcomes[1].value, outcomes[0].value) == ""

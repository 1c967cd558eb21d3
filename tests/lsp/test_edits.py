"""The smallest edits that turn one text into another."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pallas_lsp.findings import Edit, Position, Range
from pallas_lsp.lsp.edits import minimal_edits
from pallas_lsp.text import SourceText
from tests.examples import examples


def edit(start: tuple[int, int], end: tuple[int, int], text: str) -> Edit:
    return Edit(Range(Position(*start), Position(*end)), text)


@pytest.mark.parametrize(
    ("old", "new", "edits"),
    [
        ("same\n", "same\n", []),
        ("a\nreturn x\nb\n", "a\no[...] = x\nb\n", [edit((1, 0), (1, 6), "o[...] =")]),
        ("a1\nb\nc1\n", "a2\nb\nc2\n", [edit((0, 1), (0, 2), "2"), edit((2, 1), (2, 2), "2")]),
        ("a\nb\nc\n", "a\nc\n", [edit((1, 0), (2, 0), "")]),
        ("a\nc\n", "a\nb\nc\n", [edit((1, 0), (1, 0), "b\n")]),
        ("a", "a\n", [edit((0, 1), (0, 1), "\n")]),
        ("a\r\n", "a\n", [edit((0, 1), (1, 0), "\n")]),
        ("a\n", "a\r\n", [edit((0, 1), (0, 1), "\r")]),
        ("🎉é\n", "🎉è\n", [edit((0, 1), (0, 2), "è")]),
        ("", "a", [edit((0, 0), (0, 0), "a")]),
    ],
)
def test_what_stays_is_not_touched(old: str, new: str, edits: list[Edit]) -> None:
    assert list(minimal_edits(SourceText(old), new)) == edits


TEXTS = st.text(st.sampled_from("ab\n\n\r\f🎉"), max_size=30)


@examples()
@given(TEXTS, TEXTS)
def test_the_edits_lead_from_the_one_text_to_the_other(old: str, new: str) -> None:
    source = SourceText(old)
    assert source.replaced(minimal_edits(source, new)) == new

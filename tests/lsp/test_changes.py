"""The server's copy of a text stays equal to the editor's, whatever the editor does to it."""

from __future__ import annotations

import hashlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from lsp.client import Client
from pallas_lsp.lsp.changes import apply_changes, lines_with_breaks
from pallas_lsp.text import PositionEncoding, SourceText
from tests.examples import examples

UTF8, UTF16, UTF32 = PositionEncoding.UTF8, PositionEncoding.UTF16, PositionEncoding.UTF32

Place = tuple[int, int]


def change(start: Place, end: Place, text: str) -> types.TextDocumentContentChangePartial:
    return types.TextDocumentContentChangePartial(types.Range(types.Position(*start), types.Position(*end)), text)


def changed(text: str, *changes: types.TextDocumentContentChangeEvent, encoding: PositionEncoding = UTF16) -> str:
    return apply_changes(SourceText(text), changes, encoding).text


def test_a_range_is_replaced() -> None:
    assert changed("one\ntwo\nthree\n", change((0, 1), (2, 3), "X\nY")) == "oX\nYee\n"


def test_a_form_feed_and_unicode_separators_do_not_end_a_line() -> None:
    for character in "\f\v\x1c\x1d\x1e\x85\u2028\u2029":
        assert changed(f"a{character}b\nc\n", change((1, 0), (1, 1), "Z")) == f"a{character}b\nZ\n"


def test_a_column_past_the_end_of_a_line_is_its_end() -> None:
    assert changed("abc", change((0, 10), (0, 10), "X")) == "abcX"
    assert changed("abc\ndef", change((0, 4), (0, 4), "X")) == "abcX\ndef"
    assert changed("abc\r\ndef", change((0, 4), (0, 9), "X")) == "abcX\r\ndef"


def test_a_line_past_the_end_is_the_end_of_the_text() -> None:
    assert changed("abc\n", change((7, 0), (9, 3), "X")) == "abc\nX"
    assert changed("abc", change((0, 1), (2_000_000_000, 0), "X")) == "aX"


def test_a_reversed_range_is_the_range() -> None:
    assert changed("abcdef", change((0, 3), (0, 1), "X")) == "aXdef"
    assert changed("ab\ncd\n", change((1, 1), (0, 1), "X")) == "aXd\n"


@pytest.mark.parametrize(("encoding", "units"), [(UTF8, 4), (UTF16, 2), (UTF32, 1)])
def test_columns_count_in_the_encoding(encoding: PositionEncoding, units: int) -> None:
    assert changed("🎉é", change((0, 0), (0, units), "x"), encoding=encoding) == "xé"


def test_a_column_inside_of_a_character_is_before_it() -> None:
    assert changed("🎉x", change((0, 1), (0, 2), "y"), encoding=UTF16) == "yx"
    assert changed("🎉x", change((0, 3), (0, 3), "y"), encoding=UTF8) == "y🎉x"


def test_changes_are_applied_one_after_the_other() -> None:
    assert changed("ab", change((0, 1), (0, 1), "X\n"), change((1, 0), (1, 1), "Y")) == "aX\nY"


def test_a_whole_text_takes_the_place_of_what_was_before() -> None:
    whole = types.TextDocumentContentChangeWholeDocument("new\n")
    assert changed("old", whole) == "new\n"
    assert changed("old", change((0, 0), (0, 1), "X"), whole, change((0, 0), (0, 1), "N")) == "New\n"


def test_line_breaks_are_completed_and_taken_apart() -> None:
    nothing = change((0, 0), (0, 0), "")
    assert changed("a\rb", change((1, 0), (1, 0), "\n"), nothing) == "a\r\nb"
    assert changed("a\rb", change((1, 0), (1, 0), "\n"), change((1, 0), (1, 1), "c")) == "a\r\nc"
    assert changed("a\r", change((7, 0), (7, 0), "\n"), change((1, 0), (1, 0), "b")) == "a\r\nb"
    assert changed("a\r\rb", change((1, 0), (1, 0), "x"), change((2, 0), (2, 1), "c")) == "a\rx\rc"


def test_no_change_leaves_the_text() -> None:
    assert changed("abc") == "abc"


# The editor's side, written as simply as possible: encode, and cut.

_SIZES = {UTF8: "utf-8", UTF16: "utf-16-le", UTF32: "utf-32-le"}
_UNIT = {UTF8: 1, UTF16: 2, UTF32: 4}


def offset(text: str, place: Place, encoding: PositionEncoding) -> int:
    lines = re.split("\r\n|\r|\n", text)
    if place[0] >= len(lines):
        return len(text)
    ends = [found.end() for found in re.finditer("\r\n|\r|\n", text)]
    start = ([0, *ends])[place[0]]
    line = lines[place[0]]
    fitting = [n for n in range(len(line) + 1) if len(line[:n].encode(_SIZES[encoding])) <= place[1] * _UNIT[encoding]]
    return start + fitting[-1]


def edited(text: str, start: Place, end: Place, new: str, encoding: PositionEncoding) -> str:
    first, last = sorted((offset(text, start, encoding), offset(text, end, encoding)))
    return text[:first] + new + text[last:]


TEXTS = st.text(st.sampled_from("ab \n\n\r\f\u2028é🎉"), max_size=24) | st.sampled_from(["\r\n", "a\r\nb\r\n"])
PLACES = st.tuples(st.integers(0, 9), st.integers(0, 14))


@examples(200)
@given(TEXTS, st.lists(st.tuples(PLACES, PLACES, TEXTS), max_size=6), st.sampled_from(PositionEncoding))
def test_any_changes_have_the_effect_that_they_have_in_the_editor(
    text: str, edits: list[tuple[Place, Place, str]], encoding: PositionEncoding
) -> None:
    changes = [change(*edit) for edit in edits]
    together = changed(text, *changes, encoding=encoding)
    one_by_one = text
    for (start, end, new), each in zip(edits, changes, strict=True):
        text = edited(text, start, end, new, encoding)
        one_by_one = changed(one_by_one, each, encoding=encoding)
    assert one_by_one == text
    assert together == text


@given(TEXTS)
def test_lines_with_their_breaks_are_the_text(text: str) -> None:
    lines = lines_with_breaks(text)
    assert "".join(lines) == text
    assert len(lines) == SourceText(text).line_count


def test_many_changes_at_once_reach_the_server(simple: Client) -> None:
    uri, text = "untitled:many", "é🎉\r\n" * 500
    simple.open(uri, text)
    edits = [((line, 3), (line, 3), f"{line}\n") for line in range(0, 300, 3)]
    simple.change(uri, 2, *({"range": as_json(start, end), "text": new} for start, end, new in edits))
    for start, end, new in edits:
        text = edited(text, start, end, new, UTF16)
    state = simple.documents()[uri]
    assert (state["version"], state["sha256"]) == (2, hashlib.sha256(text.encode()).hexdigest())


def as_json(start: Place, end: Place) -> dict[str, dict[str, int]]:
    return {name: {"line": line, "character": unit} for name, (line, unit) in (("start", start), ("end", end))}

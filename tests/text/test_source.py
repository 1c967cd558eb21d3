"""Lines, offsets and columns, compared with a model that walks over the text one character at a time."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pallas_lsp.findings import Edit, Position, Range
from pallas_lsp.text import PositionEncoding, SourceText
from tests.examples import examples

UTF8, UTF16, UTF32 = PositionEncoding.UTF8, PositionEncoding.UTF16, PositionEncoding.UTF32

LINES = {
    "nothing": ("", [""]),
    "no line break": ("a", ["a"]),
    "a trailing line break opens a line": ("a\n", ["a", ""]),
    "LF": ("a\nb", ["a", "b"]),
    "CRLF": ("a\r\nb", ["a", "b"]),
    "CR": ("a\rb", ["a", "b"]),
    "CRLF only": ("a\r\n\r\nb\r\n", ["a", "", "b", ""]),
    "CR and LF apart": ("a\n\rb", ["a", "", "b"]),
    "CR before CRLF": ("a\r\r\nb", ["a", "", "b"]),
    "all mixed": ("a\nb\r\nc\rd", ["a", "b", "c", "d"]),
    "as many of each": ("a\r\nb\rc\nd", ["a", "b", "c", "d"]),
    "as many LF as CR, apart": ("a\rb\n\nc\r", ["a", "b", "", "c", ""]),
    "form feed": ("a\fb\n", ["a\fb", ""]),
    "vertical tab": ("a\vb\n", ["a\vb", ""]),
    "file, group, record and unit separators": ("a\x1cb\x1dc\x1ed\x1fe", ["a\x1cb\x1dc\x1ed\x1fe"]),
    "next line": ("a\x85b", ["a\x85b"]),
    "line separator": ("a\u2028b", ["a\u2028b"]),
    "paragraph separator": ("a\u2029b\n", ["a\u2029b", ""]),
    "byte order mark": ("\ufeffa\nb", ["\ufeffa", "b"]),
    "NUL": ("a\0b\nc", ["a\0b", "c"]),
    "lone surrogate": ("a\ud800\nb", ["a\ud800", "b"]),
}


@pytest.mark.parametrize(("text", "lines"), LINES.values(), ids=LINES)
def test_lines_end_where_lsp_and_python_end_them(text: str, lines: list[str]) -> None:
    source = SourceText(text)
    assert source.line_count == len(lines)
    assert [source.line(number) for number in range(source.line_count)] == lines


@pytest.mark.parametrize(("text", "lines"), LINES.values(), ids=LINES)
def test_a_line_starts_at_its_offset(text: str, lines: list[str]) -> None:
    source = SourceText(text)
    for number, line in enumerate(lines):
        assert text[source.line_start(number) :].startswith(line)
        assert source.position(source.line_start(number)) == Position(number, 0)


@pytest.mark.parametrize("line", [2, 99])
def test_a_line_that_does_not_exist(line: int) -> None:
    source = SourceText("a\nb")
    with pytest.raises(IndexError):
        source.line(line)
    with pytest.raises(IndexError):
        source.line_start(line)


OFFSETS = {
    "start": (Position(0, 0), 0),
    "middle": (Position(1, 1), 4),
    "end of a line": (Position(0, 2), 2),
    "past the end of a line is its end": (Position(0, 99), 2),
    "past a CRLF line is before the CR": (Position(1, 99), 5),
    "empty last line": (Position(2, 0), 7),
    "past the empty last line": (Position(2, 5), 7),
    "past the last line is the end": (Position(3, 0), 7),
    "far past the last line": (Position(2**31 - 1, 2**31 - 1), 7),
    "negative character": (Position(1, -1), 3),
    "negative line": (Position(-1, 5), 0),
}


@pytest.mark.parametrize(("position", "offset"), OFFSETS.values(), ids=OFFSETS)
def test_offset_of_a_position_is_clamped(position: Position, offset: int) -> None:
    assert SourceText("ab\ncd\r\n").offset(position) == offset


POSITIONS = {
    "start": (0, Position(0, 0)),
    "negative": (-3, Position(0, 0)),
    "before a line break": (2, Position(0, 2)),
    "after a line break": (3, Position(1, 0)),
    "before a CRLF": (5, Position(1, 2)),
    "inside a CRLF is the line's end": (6, Position(1, 2)),
    "after a CRLF": (7, Position(2, 0)),
    "past the end": (99, Position(2, 0)),
}


@pytest.mark.parametrize(("offset", "position"), POSITIONS.values(), ids=POSITIONS)
def test_position_of_an_offset_is_clamped(offset: int, position: Position) -> None:
    assert SourceText("ab\ncd\r\n").position(offset) == position


# `a`, two bytes, three bytes, astral (four bytes, two UTF-16 units), a combining mark, `b`.
COLUMNS_TEXT = "aä€🐍e\u0301b"
COLUMNS = {
    UTF8: [0, 1, 3, 6, 10, 11, 13, 14],
    UTF16: [0, 1, 2, 3, 5, 6, 7, 8],
    UTF32: [0, 1, 2, 3, 4, 5, 6, 7],
}


@pytest.mark.parametrize("before", ["", "first\n", "ß\r\n\r"], ids=["first line", "after LF", "after CR"])
@pytest.mark.parametrize("encoding", PositionEncoding)
def test_columns(encoding: PositionEncoding, before: str) -> None:
    source = SourceText(f"{before}{COLUMNS_TEXT}\nafter")
    line = source.position(len(before)).line
    for character, column in enumerate(COLUMNS[encoding]):
        assert source.units(Position(line, character), encoding) == column
        assert source.from_units(line, column, encoding) == Position(line, character)


@pytest.mark.parametrize(
    ("encoding", "column", "character"),
    [(UTF8, 2, 1), (UTF8, 4, 2), (UTF8, 5, 2), (UTF8, 7, 3), (UTF8, 9, 3), (UTF16, 4, 3)],
)
def test_a_column_inside_a_character_is_the_place_before_it(
    encoding: PositionEncoding, column: int, character: int
) -> None:
    assert SourceText(COLUMNS_TEXT).from_units(0, column, encoding) == Position(0, character)


@pytest.mark.parametrize("encoding", PositionEncoding)
@pytest.mark.parametrize("text", ["ab", "äb", "🐍b", ""], ids=ascii)
def test_overlong_columns_are_clamped(encoding: PositionEncoding, text: str) -> None:
    source = SourceText(f"{text}\nnext")
    assert source.from_units(0, 10**9, encoding) == Position(0, len(text))
    assert source.units(Position(0, 10**9), encoding) == source.units(Position(0, len(text)), encoding)


@pytest.mark.parametrize("encoding", PositionEncoding)
def test_columns_out_of_the_text_are_clamped(encoding: PositionEncoding) -> None:
    source = SourceText("ä\n🐍")
    assert source.from_units(-1, 5, encoding) == Position(0, 0)
    assert source.from_units(0, -5, encoding) == Position(0, 0)
    assert source.from_units(2, 0, encoding) == Position(1, 1)
    assert source.from_units(99, 99, encoding) == Position(1, 1)


@pytest.mark.parametrize("encoding", PositionEncoding)
def test_two_lone_surrogates_are_two_characters(encoding: PositionEncoding) -> None:
    source = SourceText("\ud83d\udc0dx")
    assert [source.from_units(0, source.units(Position(0, at), encoding), encoding).character for at in range(4)] == [
        0,
        1,
        2,
        3,
    ]


@pytest.mark.parametrize(
    ("utf8_column", "character"), [(0, 0), (1, 1), (3, 2), (6, 3), (10, 4), (14, 7), (99, 7), (-1, 0)]
)
def test_columns_of_ast_are_bytes(utf8_column: int, character: int) -> None:
    assert SourceText(COLUMNS_TEXT).character(0, utf8_column) == character


@pytest.mark.parametrize("utf8_column", [-1, 0, 1, 2, 99])
def test_columns_of_ast_on_an_ascii_line(utf8_column: int) -> None:
    assert SourceText("ab").character(0, utf8_column) == max(0, min(utf8_column, 2))


SLICES = {
    "in a line": (Range(Position(0, 1), Position(0, 2)), "b"),
    "over a line break": (Range(Position(0, 1), Position(1, 1)), "b\r\nc"),
    "overlong": (Range(Position(0, 1), Position(0, 99)), "b"),
    "all": (Range(Position(0, 0), Position(99, 0)), "ab\r\ncd"),
    "empty": (Range(Position(1, 1), Position(1, 1)), ""),
    "reversed": (Range(Position(1, 0), Position(0, 1)), ""),
    "reversed in a line": (Range(Position(0, 2), Position(0, 1)), ""),
}


@pytest.mark.parametrize(("place", "text"), SLICES.values(), ids=SLICES)
def test_slices(place: Range, text: str) -> None:
    assert SourceText("ab\r\ncd").slice(place) == text


@pytest.mark.parametrize(
    ("text", "newline"),
    [
        ("", "\n"),
        ("a", "\n"),
        ("a\n", "\n"),
        ("a\r\n", "\r\n"),
        ("a\r", "\r"),
        ("a\r\nb\nc\n", "\n"),
        ("a\r\nb\r\nc\n", "\r\n"),
        ("a\rb\rc\r\n", "\r"),
        ("a\u2028b\fc\r\n", "\r\n"),
    ],
)
def test_the_line_break_that_is_used_most(text: str, newline: str) -> None:
    assert SourceText(text).newline() == newline


def edit(first: int, second: int, new_text: str) -> Edit:
    return Edit(Range(Position(0, first), Position(0, second)), new_text)


@pytest.mark.parametrize(
    ("edits", "text"),
    [
        ([], "abcdef"),
        ([edit(0, 0, "x")], "xabcdef"),
        ([edit(1, 3, "")], "adef"),
        ([edit(1, 2, "x"), edit(2, 3, "y")], "axydef"),
        ([edit(2, 2, "x"), edit(2, 2, "y")], "abxycdef"),
        ([edit(6, 99, "\n")], "abcdef\n"),
    ],
)
def test_edits(edits: list[Edit], text: str) -> None:
    assert SourceText("abcdef").replaced(edits) == text


@pytest.mark.parametrize(
    "edits",
    [[edit(1, 3, "x"), edit(2, 4, "y")], [edit(3, 4, "x"), edit(1, 2, "y")], [edit(3, 1, "x")]],
    ids=["overlapping", "out of order", "reversed"],
)
def test_edits_that_contradict_each_other(edits: list[Edit]) -> None:
    with pytest.raises(ValueError, match="overlap or are out of order"):
        SourceText("abcdef").replaced(edits)


# -- any text --------------------------------------------------------------------------------------------------------

TEXTS = st.lists(
    st.sampled_from(["a", "b", " ", "\n", "\r", "\r\n", "\f", "\v", "\u2028", "\x85", "\ufeff", "\0"])
    | st.sampled_from(["ä", "€", "🐍", "\U0010ffff", "\uffff", "\ue000", "e\u0301", "\ud800", "\udfff", "\udcff"])
    | st.text(max_size=3),
    max_size=30,
).map("".join)


def places(text: str) -> Iterator[tuple[int, int, int]]:
    """The offset, line and character of every place of a text, its end counted; CRLF is one line break."""
    line = character = 0
    offset = 0
    while True:
        yield offset, line, character
        if offset == len(text):
            return
        if text[offset] == "\n" or (text[offset] == "\r" and text[offset + 1 : offset + 2] != "\n"):
            line, character = line + 1, 0
        elif text[offset] == "\r":
            yield offset + 1, line, character
            offset += 1
            line, character = line + 1, 0
        else:
            character += 1
        offset += 1


def column(prefix: str, encoding: PositionEncoding) -> int:
    units = {UTF8: lambda point: 1 + (point > 0x7F) + (point > 0x7FF) + (point > 0xFFFF)}
    units |= {UTF16: lambda point: 1 + (point > 0xFFFF), UTF32: lambda point: 1}
    return sum(units[encoding](ord(character)) for character in prefix)


@examples(300)
@given(TEXTS)
def test_every_place_of_any_text(text: str) -> None:
    source = SourceText(text)
    for offset, line, character in places(text):
        assert source.position(offset) == Position(line, character)
        inside = offset > 0 and text[offset - 1 : offset + 1] == "\r\n"
        assert source.offset(Position(line, character)) == offset - inside
    assert source.line_count == line + 1
    assert source.offset(Position(line + 1, 0)) == len(text)


@examples(300)
@given(TEXTS, st.sampled_from(PositionEncoding))
def test_columns_of_any_text_come_back(text: str, encoding: PositionEncoding) -> None:
    source = SourceText(text)
    for number in range(source.line_count):
        line = source.line(number)
        for character in range(len(line) + 1):
            units = column(line[:character], encoding)
            assert source.units(Position(number, character), encoding) == units
            assert source.from_units(number, units, encoding) == Position(number, character)
            assert source.character(number, column(line[:character], UTF8)) == character


@examples(200)
@given(TEXTS, st.data())
def test_any_edit_is_that_of_the_string(text: str, data: st.DataObject) -> None:
    source = SourceText(text)
    offsets = sorted(data.draw(st.lists(st.integers(0, len(text)), min_size=2, max_size=2)))
    start, end = (source.position(offset) for offset in offsets)
    first, last = source.offset(start), source.offset(end)
    assert source.slice(Range(start, end)) == text[first:last]
    assert source.replaced([Edit(Range(start, end), "ü\n")]) == f"{text[:first]}ü\n{text[last:]}"

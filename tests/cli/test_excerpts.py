"""Source text with a part of it underlined."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pallas_lsp.cli.console import Palette
from pallas_lsp.cli.excerpts import cells, excerpt
from pallas_lsp.findings import Position, Range
from pallas_lsp.text import SourceText
from tests.examples import examples


def shown(text: str, start: tuple[int, int], end: tuple[int, int]) -> str:
    _, lines = excerpt(SourceText(text), Range(Position(*start), Position(*end)), Palette())
    return "\n".join(lines)


def test_one_line() -> None:
    assert shown("a\nb\nc\nx = bad + 1\nd\ne\nf\n", (3, 4), (3, 7)) == (
        "  |\n2 | b\n3 | c\n4 | x = bad + 1\n  |     ^^^\n5 | d\n6 | e\n  |"
    )


def test_empty_lines_at_the_edges_are_left_out() -> None:
    assert shown("\n\nbad\n\n", (2, 0), (2, 3)) == "  |\n3 | bad\n  | ^^^\n  |"
    assert shown("a\n\nbad\n\nb", (2, 0), (2, 3)) == "  |\n1 | a\n2 |\n3 | bad\n  | ^^^\n4 |\n5 | b\n  |"


def test_line_numbers_of_different_width() -> None:
    text = "\n".join("abcdefghijkl")
    assert shown(text, (9, 0), (9, 1)) == "   |\n 8 | h\n 9 | i\n10 | j\n   | ^\n11 | k\n12 | l\n   |"


def test_an_empty_range_is_one_mark() -> None:
    assert shown("ab", (0, 1), (0, 1)) == "  |\n1 | ab\n  |  ^\n  |"
    assert shown("", (0, 0), (0, 0)) == "  |\n1 |\n  | ^\n  |"


@pytest.mark.parametrize(
    ("line", "start", "end", "rows"),
    [
        ("\tx", 1, 2, ("    x", "    ^")),
        ("a\tbad", 2, 5, ("a    bad", "     ^^^")),
        ("漢字 bad", 3, 6, ("漢字 bad", "     ^^^")),
        ("漢字", 0, 2, ("漢字", "^^^^")),
        ("e\u0301 bad", 3, 6, ("e\u0301 bad", "  ^^^")),
        ("\U0001d518 bad", 2, 5, ("\U0001d518 bad", "  ^^^")),
        ("\U0001f600 bad", 2, 5, ("\U0001f600 bad", "   ^^^")),
        ("\uff21 bad", 2, 5, ("\uff21 bad", "   ^^^")),
        ("\x1b[31m bad", 6, 9, ("\u241b[31m bad", "      ^^^")),
        ("\x7f\x85 bad", 3, 6, ("\u2421\ufffd bad", "   ^^^")),
        ("\u202e bad", 2, 5, ("\ufffd bad", "  ^^^")),
        ("\udc80 bad", 2, 5, ("\ufffd bad", "  ^^^")),
        ("a\u200db bad", 4, 7, ("a\u200db bad", "   ^^^")),
    ],
)
def test_marks_stand_below_what_they_mark(line: str, start: int, end: int, rows: tuple[str, str]) -> None:
    assert shown(line, (0, start), (0, end)) == f"  |\n1 | {rows[0]}\n  | {rows[1]}\n  |"


def test_several_lines_from_the_start_of_a_line() -> None:
    assert shown("a\n  return (\n    x\n  )\nb", (1, 2), (3, 3)) == (
        "  |\n1 |   a\n2 | /   return (\n3 | |     x\n4 | |   )\n  | |___^\n5 |   b\n  |"
    )


def test_several_lines_from_within_a_line() -> None:
    assert shown("x = f(\n  y\n)", (0, 4), (2, 1)) == (
        "  |\n1 |   x = f(\n  |  _____^\n2 | |   y\n3 | | )\n  | |_^\n  |"
    )


def test_a_range_up_to_the_start_of_a_line_ends_before_it() -> None:
    assert shown("ab\ncd", (0, 0), (1, 0)) == "  |\n1 | ab\n  | ^^\n2 | cd\n  |"
    assert shown("ab\ncd\ne", (0, 0), (2, 0)) == "  |\n1 | / ab\n2 | | cd\n  | |__^\n3 |   e\n  |"


def test_a_long_range_is_shortened() -> None:
    text = "\n".join(f"line {number}" for number in range(1, 21))
    assert shown(text, (0, 0), (19, 7)) == (
        "   |\n 1 | / line 1\n 2 | | line 2\n 3 | | line 3\n 4 | | line 4\n 5 | | line 5\n   | | ...\n"
        "17 | | line 17\n18 | | line 18\n19 | | line 19\n20 | | line 20\n   | |_______^\n   |"
    )


def test_a_long_line_is_cut_around_the_mark() -> None:
    line = "x" * 5000 + "bad" + "y" * 5000
    rows = shown(line, (0, 5000), (0, 5003)).splitlines()
    assert len(rows[1]) < 300
    mark = rows[2].index("^")
    assert rows[1][mark : mark + 3] == "bad"
    assert rows[2].count("^") == 3
    assert max(map(len, shown(f"{line}\nbad", (1, 0), (1, 3)).splitlines())) < 300
    assert max(map(len, shown(f"{line}\nbad", (0, 0), (1, 3)).splitlines())) < 5100


def test_colours_change_nothing_but_the_colour() -> None:
    import re

    marked = Range(Position(0, 4), Position(2, 1))
    source = SourceText("x = f(\n  y\n)")
    plain, coloured = (excerpt(source, marked, Palette(enabled))[1] for enabled in (False, True))
    assert [re.sub("\x1b\\[[0-9;]*m", "", row).rstrip() for row in coloured] == plain
    assert coloured != plain


@examples()
@given(st.text(max_size=30))
def test_no_shown_text_moves_the_cursor(text: str) -> None:
    shown_text, width = cells(text)
    assert not set(shown_text) & set(map(chr, (*range(0x20), *range(0x7F, 0xA0))))
    assert width >= 0


@examples()
@given(st.text(max_size=40), *(st.integers(0, 5) for _ in range(4)))
def test_every_range_can_be_shown(text: str, first: int, start: int, more: int, end: int) -> None:
    source = SourceText(text)
    first = min(first, source.line_count - 1)
    last = min(first + more, source.line_count - 1)
    end = min(end, len(source.line(last)))
    start = min(start, len(source.line(first)), end if first == last else 9)
    width, lines = excerpt(source, Range(Position(first, start), Position(last, end)), Palette())
    assert lines[0] == lines[-1] == " " * width + " |"
    assert any("^" in line for line in lines)

"""The cells of a notebook are one module, and every place in it is a place in a cell."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pallas_lsp.findings import Applicability, Edit, Fix, Position, Range
from pallas_lsp.notebooks.cells import RefusedEdit, admitted, join
from pallas_lsp.syntax import parse_module
from pallas_lsp.text import SourceText
from tests.examples import examples


def span(line: int, start: int, last: int, end: int) -> Range:
    return Range(Position(line, start), Position(last, end))


def names_after(*cells: str) -> list[str]:
    """The functions that are found in the module of these cells, at its top."""
    module = parse_module(SourceText(join(cells).text))
    return [name for chunk in module.chunks for node in chunk.statements if (name := getattr(node, "name", ""))]


def test_each_cell_has_its_own_lines() -> None:
    joined = join(["x = 1", None, "y = 2\n", "", "z = 3\r\n%pwd\r\n"])
    assert joined.text == "x = 1\ny = 2\n\n\nz = 3\n____\n"
    assert [joined.first_line(cell) for cell in (0, 2, 3, 4)] == [0, 1, 3, 4]
    assert [joined.cell_at(line) for line in range(7)] == [0, 2, 2, 3, 4, 4, 4]


def test_place_in_the_module_is_a_place_in_a_cell_and_back() -> None:
    joined = join(["x = 1", None, "y = 2\nz = 3"])
    assert joined.locate(span(2, 0, 2, 5)) == (2, span(1, 0, 1, 5))
    assert joined.joined(2, span(1, 0, 1, 5)) == span(2, 0, 2, 5)


def test_range_over_two_cells_ends_with_the_first() -> None:
    joined = join(["x = 1\ny = 1", "z = 3"])
    assert joined.locate(span(1, 2, 2, 3)) == (0, span(1, 2, 1, 5))


def test_line_between_two_cells_is_in_none_but_has_a_place() -> None:
    joined = join(["x = (", "y = 1"])
    (between,) = {line for line in range(joined.first_line(1)) if joined.cell_at(line) is None} & {1}
    assert joined.locate(span(between, 0, between, 3)) == (0, span(0, 5, 0, 5))
    assert join(["  x = 1"]).locate(span(0, 0, 0, 3)) == (0, span(0, 0, 0, 0))


def test_indented_cell_is_a_block_since_ipython_takes_its_indentation_off() -> None:
    joined = join(["def f():\n    pass", "    def g():\n        pass", "x = 1"])
    assert joined.text == "def f():\n    pass\nif 1:\n    def g():\n        pass\nx = 1"
    assert [joined.first_line(cell) for cell in range(3)] == [0, 3, 5]


def test_notebook_without_code_is_an_empty_module() -> None:
    assert join([None, None]).text == join([]).text == ""


BROKEN = [
    *("x = f(", "x = [\n  {'a': (", "x = '''words", 'x = """words\n\n  more', "def f():\n    '''words\n    y = 1"),
    *(
        "f'''{x",
        'f"""{x"""',
        'f"""{x:',
        'f"{x',
        "x = 1 \\",
        "def f():",
        "@decorated",
        "try:\n    x",
        "class A:\n  x = (",
    ),
    *(
        "else:\n  x",
        "finally:",
        ") x",
        "x = '",
        "'''a''' '''",
        "!ls '''\nx = (",
        "if x:\n\n",
        "  x = (\n y",
        "\0",
        "\ud800",
    ),
]


@pytest.mark.parametrize("broken", BROKEN)
def test_broken_cell_leaves_those_around_it_alone(broken: str) -> None:
    before, after = (
        "def before():\n    return '''}'''",
        "@decorated\ndef after():\n    return {'a': '}'}, f'{x}', \"\"\"'''\"\"\"",
    )
    names = names_after(before, broken, after)
    assert (names[0], names[-1]) == ("before", "after")
    alone = parse_module(SourceText(after)).chunks[0]
    last = parse_module(SourceText(join([before, broken, after]).text)).chunks[-1]
    assert (last.text, last.problems) == (alone.text, ())


TEXTS = st.lists(
    st.sampled_from(
        [
            *("x = 1", "(", ")", '"""', "'''", "'", 'f"""{', "}", "def f():", "    return 1", "%pwd", "!ls", "%%bash"),
            *("\n", "\r\n", "\r", "\\", "#", "é🎉", "\f", "\u2028", "if x:", "else:", "@f", ":", "\0", "\ud800"),
        ]
    ),
    max_size=8,
).map("".join)
CELLS = st.lists(st.none() | TEXTS, max_size=5)


@examples()
@given(CELLS)
def test_every_place_of_every_cell_survives_the_way_there_and_back(cells: list[str | None]) -> None:
    joined = join(cells)
    module = SourceText(joined.text)
    for number, cell in enumerate(cells):
        if cell is None:
            continue
        source = SourceText(cell)
        for line in range(source.line_count):
            row = Range(Position(line, 0), Position(line, len(source.line(line))))
            there = joined.joined(number, row)
            assert len(module.slice(there)) == len(source.line(line))
            assert joined.cell_at(there.start.line) == number
            assert joined.locate(there) == (number, row)


@examples()
@given(CELLS)
def test_every_place_of_the_module_has_a_place(cells: list[str | None]) -> None:
    joined = join(cells)
    rows = joined.text.split("\n") if any(cell is not None for cell in cells) else []
    for line, row in enumerate(rows):
        number, place = joined.locate(span(line, 0, line, len(row)))
        cell = cells[number]
        assert cell is not None
        source = SourceText(cell)
        assert source.position(source.offset(place.start)) == place.start <= place.end
        assert source.position(source.offset(place.end)) == place.end


def edited(cells: Sequence[str | None], *edits: Edit) -> list[str | None]:
    """The cells after edits of their module."""
    changes = join(cells).edits_by_cell(edits)
    return [SourceText(cell or "").replaced(changes[n]) if n in changes else cell for n, cell in enumerate(cells)]


def test_edits_are_made_in_their_cells() -> None:
    cells = ["x = 1\ny = 2", None, "z = 3"]
    assert edited(cells, Edit(span(1, 4, 1, 5), "4"), Edit(span(2, 0, 2, 1), "w")) == ["x = 1\ny = 4", None, "w = 3"]


def test_edit_takes_the_line_breaks_of_its_cell() -> None:
    assert edited(["x = 1\r\ny = 2\r\n"], Edit(span(1, 0, 1, 0), "w = 3\n")) == [
        "x = 1\r\nw = 3\ny = 2\r\n".replace("3\n", "3\r\n")
    ]


def test_edit_of_whole_lines_leaves_the_next_cell_where_it_is() -> None:
    cells = ["x = 1\ny = 2", "z = 3"]
    assert edited(cells, Edit(span(1, 0, 2, 0), "w = 3\n")) == ["x = 1\nw = 3", "z = 3"]
    assert edited(cells, Edit(span(1, 0, 2, 0), "")) == ["x = 1\n", "z = 3"]


@pytest.mark.parametrize(
    ("cells", "edit"),
    [
        (["x = 1", "y = 2"], Edit(span(0, 4, 1, 1), "")),
        (["x = 1", "y = 2"], Edit(span(0, 5, 1, 0), "")),
        (["x = 1", "y = 2"], Edit(span(0, 0, 1, 0), "w")),
        (["x = 1", "y = ("], Edit(span(1, 0, 1, 0), "w")),
        (["x = 1", "y = ("], Edit(span(0, 0, 2, 0), "w\n")),
        (["  x = 1"], Edit(span(0, 0, 0, 0), "y = 1\n")),
    ],
)
def test_edit_outside_of_one_cell_is_refused(cells: list[str | None], edit: Edit) -> None:
    with pytest.raises(RefusedEdit, match=r"one cell|two cells"):
        edited(cells, edit)


MAGIC_CELL = "x = 1\n  %time f()\ny = !ls\nz = 2"


@pytest.mark.parametrize(
    "edit",
    [
        Edit(span(1, 0, 1, 4), "x"),
        Edit(span(0, 0, 3, 0), ""),
        Edit(span(1, 11, 1, 11), "  # why"),
        Edit(span(2, 0, 2, 4), "z[...] = "),
        Edit(span(2, 5, 2, 5), "x"),
        Edit(span(1, 11, 2, 0), ""),
        Edit(span(0, 5, 1, 2), ""),
        Edit(span(3, 0, 3, 1), "_________"),
    ],
)
def test_edit_of_a_magic_is_refused(edit: Edit) -> None:
    with pytest.raises(RefusedEdit, match="IPython"):
        edited([MAGIC_CELL], edit)


@pytest.mark.parametrize(
    ("edit", "cell"),
    [
        (Edit(span(1, 2, 1, 2), "x\n  "), "x = 1\n  x\n  %time f()\ny = !ls\nz = 2"),
        (Edit(span(1, 11, 1, 11), "\nx"), "x = 1\n  %time f()\nx\ny = !ls\nz = 2"),
        (Edit(span(0, 0, 1, 0), ""), "  %time f()\ny = !ls\nz = 2"),
        (Edit(span(2, 7, 3, 5), ""), "x = 1\n  %time f()\ny = !ls"),
        (Edit(span(2, 0, 2, 1), "w"), "x = 1\n  %time f()\nw = !ls\nz = 2"),
    ],
)
def test_edit_beside_a_magic_is_made(edit: Edit, cell: str) -> None:
    assert edited([MAGIC_CELL], edit) == [cell]


def test_argument_of_a_cell_magic_is_never_changed() -> None:
    with pytest.raises(RefusedEdit, match="%%"):
        edited(["x = 1", "%%time\nx = 1"], Edit(span(2, 0, 2, 1), "y"))


def test_fix_that_is_refused_says_why() -> None:
    fix = Fix("Mend", (Edit(span(0, 0, 1, 1), "x"),), Applicability.SAFE)
    refused = admitted(join(["x = 1", "y = 2"]), fix)
    assert refused == Fix("Mend", (), Applicability.NONE, "This would change what is not in one cell.")
    assert admitted(join(["x = 1\ny = 2"]), fix) is fix

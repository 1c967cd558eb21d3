"""IPython's own syntax in a cell becomes Python of the same lines and columns."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pallas_lsp.findings import Position, Range
from pallas_lsp.notebooks.magics import PYTHON_CELL_MAGICS, as_python
from tests.examples import examples


def masked(cell: str) -> str:
    """The Python of a cell; blanks at the ends of lines are cut off."""
    return "\n".join(line.rstrip() for line in as_python(cell).text.split("\n"))


@pytest.mark.parametrize(
    ("cell", "python"),
    [
        ("%matplotlib inline", "__________________"),
        ("!pip install jax", "________________"),
        ("!!ls", "____"),
        ("x = !ls -l", "x = ______"),
        ("x=!ls", "x=___"),
        ("x, y = %pwd", "x, y = ____"),
        ("x: list = % pwd", "x: list = _____"),
        ("obj?", "____"),
        ("obj.attribute[0]??", "__________________"),
        ("?obj", "____"),
        ("%time?", "______"),
        ("np.*load*?", "__________"),
        (",f a b", "______"),
        (";f a b", "______"),
        ("/f a b", "______"),
        ("%", "_"),
        ("%time x = f('a", "______________"),
        ("!echo '''\nx = 1", "_________\nx = 1"),
        ("!echo (\nx = 1", "_______\nx = 1"),
        ("x = !echo (\ny = 1", "x = _______\ny = 1"),
        ("!ls \\\n  -l \\\n  -a\nx = 1", "_____\n\n\nx = 1"),
        ("x = !ls \\\n  -l\ny = 1", "x = _____\n\ny = 1"),
        ("f(1,\n  2)?\nx = 1", "____\n\nx = 1"),
        ("if x:\n    %time f()\n    y = !ls", "if x:\n    _________\n    y = ___"),
        ("def f():\n\t!ls\n\treturn 1", "def f():\n\t___\n\treturn 1"),
        ("x = 1\r\n!ls\r%pwd\n", "x = 1\n___\n____\n"),
        ("!echo é🎉", "________"),
    ],
)
def test_magic(cell: str, python: str) -> None:
    assert masked(cell) == python


@pytest.mark.parametrize(
    "cell",
    [
        "y = x % 2",
        "y = x \\\n% 2",
        "y = (x\n% 2)",
        "y = [\n%pwd\n]",
        "f(a=%pwd)",
        "y = '%d' % x",
        "y = f'{x!r:>{width}}'",
        "y = '''\n%time\n!ls\nobj?\n'''",
        "y = 'what?'",
        "# what?",
        "y = 1  # why?",
        "y = x != 1",
        "y += !ls",
        "y == !ls",
        "a = b = !ls",
        "await f()",
        "@decorated\ndef f(): pass",
        "",
        "\n\n",
    ],
)
def test_what_is_not_a_magic_is_left_alone(cell: str) -> None:
    assert as_python(cell).text == cell
    assert as_python(cell).masks == ()


def test_a_magic_below_an_open_bracket_is_known_once_a_statement_has_started() -> None:
    assert as_python("x = f(\nimport jax\n%pwd").text == "x = f(\nimport jax\n____"


@pytest.mark.parametrize(
    "magic", ["bash", "html", "javascript", "writefile f.py", "latex", "script sh", "cython", "sql"]
)
def test_a_cell_in_another_language_is_blank(magic: str) -> None:
    cell = as_python(f"%%{magic}\nx = ( '''\n\n%time")
    assert cell.text.split() == []
    assert [len(line) for line in cell.text.split("\n")] == [len(magic) + 2, 9, 0, 5]
    assert (cell.has_cell_magic, cell.is_intact) == (True, True)


@pytest.mark.parametrize("magic", sorted(PYTHON_CELL_MAGICS))
def test_a_cell_whose_magic_runs_it_keeps_its_code(magic: str) -> None:
    cell = as_python(f"\n  \n%%{magic} -n 1\nx = 1\n%time y")
    assert cell.text.rstrip() == f"\n  \n{' ' * len(magic)}       \nx = 1\n_______"
    assert cell.has_cell_magic


@pytest.mark.parametrize("cell", ["x = 1\n%%bash\ny = 1", "# first\n%%bash\ny = 1", "%%bash?\ny = 1"])
def test_a_cell_magic_is_the_first_line_or_none(cell: str) -> None:
    assert not as_python(cell).has_cell_magic
    assert as_python(cell).text.endswith("\ny = 1")


def test_masks_are_the_places_of_the_magics() -> None:
    cell = as_python("x = 1\ny = !ls\n%cd \\\n ..\n")
    assert cell.masks == (Range(Position(1, 4), Position(1, 7)), Range(Position(2, 0), Position(3, 3)))
    assert cell.end == Position(4, 0)


@pytest.mark.parametrize(
    ("cell", "indented", "intact"),
    [
        ("x = 1", False, True),
        ("await x\nasync with x: pass", False, True),
        ("  x = 1\n  !ls", True, True),
        ("\n  # words\n\n\tx = 1", True, True),
        ("  # words\nx = 1", False, True),
        ("%%time\n  x = 1", True, True),
        ("x = (", False, False),
        ("x = '''", False, False),
        ("else:\n  x", False, False),
        ("  x = 1\n y = 1", True, False),
    ],
)
def test_shape_of_a_cell(cell: str, indented: bool, intact: bool) -> None:
    assert (as_python(cell).is_indented, as_python(cell).is_intact) == (indented, intact)


FRAGMENTS = [
    *("%time f(x)", "!ls -la", "!echo 'it", "x = !ls", "x = %who", "obj?", "?", ",f a", "%", "%%", "%%time", "%%bash"),
    *("\n", "\n    ", "\r\n", "\r", "\\\n", "\f", "\t", '"""', "'", "#", "(", ")", "[", "=", "?", "!", "x", " % y"),
    *("if x:", "def f():\n    return 1", "import jax", 'f"""{', "}", "é", "🎉", "\ud800", "\0", "\u2028"),
]


@examples()
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=20).map("".join))
def test_lines_and_columns_stay_whatever_the_cell_is(cell: str) -> None:
    plain = cell.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    python = as_python(cell)
    assert [len(line) for line in python.text.split("\n")] == [len(line) for line in plain]
    assert python.end == Position(len(plain) - 1, len(plain[-1]))
    assert list(python.masks) == sorted(python.masks)


STATEMENTS = [
    "x = 1",
    "if x:\n    y = f'{x!r}'",
    "def f(a, *, b=1):\n    '''?'''\n    return a % b",
    "z = [\n1,\n]",
    "",
]
MAGICS = ["%time f(", "!ls '", "x = !ls \\\n  -l", "obj?", "if x:\n    %cd ..\n    y = %pwd"]


@examples()
@given(st.lists(st.sampled_from(STATEMENTS + MAGICS), max_size=8))
def test_python_with_magics_becomes_python_without(parts: list[str]) -> None:
    python = as_python("\n".join(parts))
    assert python.is_intact
    kept = [part for part in parts if part not in MAGICS]
    body = "\n".join(part if part in STATEMENTS else as_python(part).text for part in parts)
    assert ast.dump(ast.parse(python.text)) == ast.dump(ast.parse(body))
    assert all(part in python.text for part in kept)

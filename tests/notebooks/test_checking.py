"""Notebooks are checked and mended: the cells are one program, and everything lands in the right cell."""

from __future__ import annotations

import pytest

from pallas_lsp.check import check
from pallas_lsp.config import DEFAULT
from pallas_lsp.findings import Applicability, Position, Range
from pallas_lsp.notebooks.cells import join
from pallas_lsp.notebooks.checking import CellEdit, CellRelated, check_joined, check_notebook, fix_joined

IMPORTS = "import jax\nimport jax.numpy as jnp\nfrom jax.experimental import pallas as pl"
KERNEL = "def add_one(x_ref, o_ref):\n    return x_ref[...] + 1"
FIXED = "def add_one(x_ref, o_ref):\n    o_ref[...] = x_ref[...] + 1"
LAUNCH = "pl.pallas_call(add_one, out_shape=jax.ShapeDtypeStruct((8,), jnp.float32))(jnp.ones(8))"


def found(*cells: str | None) -> list[tuple[int, int, str]]:
    """Cell, line and code of all findings."""
    return [(finding.cell, finding.range.start.line, finding.code) for finding in check_notebook(cells).findings]


def fixed(*cells: str | None, unsafe: bool = False) -> list[str | None]:
    return list(fix_joined(join(cells), unsafe=unsafe).cells)


def span(line: int, start: int, end: int) -> Range:
    return Range(Position(line, start), Position(line, end))


def test_cells_are_one_program_and_a_finding_is_in_its_cell() -> None:
    (finding,) = check_notebook([IMPORTS, None, f"# words\n{KERNEL}", "x = 1", LAUNCH]).findings
    assert (finding.cell, finding.code, finding.range) == (2, "PAL001", span(2, 4, 25))
    (related,) = finding.related
    assert isinstance(related, CellRelated)
    assert (related.cell, related.path, related.range.start) == (4, None, Position(0, 0))
    fix = finding.fixes()[0]
    assert fix.edits == (CellEdit(span(2, 4, 11), "o_ref[...] = ", cell=2),)


def test_fixes_are_made_in_their_cells() -> None:
    assert fixed(IMPORTS, None, KERNEL, LAUNCH) == [IMPORTS, None, FIXED, LAUNCH]


def test_what_was_applied_is_told_by_cell() -> None:
    ((finding, fix),) = fix_joined(join([None, IMPORTS, KERNEL, LAUNCH])).applied
    assert finding.cell == 2
    assert [edit.cell for edit in fix.edits if isinstance(edit, CellEdit)] == [2]


def test_fix_over_two_cells_changes_both() -> None:
    function, use = "def double(x):\n    return 2 * x\n", "print(double(3))"
    launch = LAUNCH.replace("add_one", "double")
    (finding,) = check_notebook([IMPORTS, function, use, launch]).findings
    changed = {edit.cell for edit in finding.fixes()[0].edits if isinstance(edit, CellEdit)}
    assert (finding.cell, changed) == (1, {1, 3})
    added = "\n\ndef double_kernel(x, o_ref):\n    o_ref[...] = double(x[...])"
    new_launch = launch.replace("double", "double_kernel")
    assert fixed(IMPORTS, function, use, launch) == [IMPORTS, f"{function[:-1]}\n{added}\n", use, new_launch]


def test_two_cells_may_be_fixed_at_once_and_only_what_was_asked_for() -> None:
    other, other_launch = KERNEL.replace("add_one", "other"), LAUNCH.replace("add_one", "other")
    cells = [IMPORTS, KERNEL, other, LAUNCH, other_launch]
    assert fixed(*cells) == [IMPORTS, FIXED, FIXED.replace("add_one", "other"), LAUNCH, other_launch]
    group = check_notebook(cells).findings[1].group
    assert fix_joined(join(cells), group=group).cells[1:3] == (KERNEL, FIXED.replace("add_one", "other"))
    assert fix_joined(join(cells), codes=frozenset({"PAL999"})).cells == tuple(cells)


MAGICS = "%matplotlib inline\n!pip install 'jax\nfiles = !ls (\njax.jit?\n%timeit -n 1 \\\n  f("


def test_magics_do_not_disturb() -> None:
    cells = [
        f"%load_ext x\n{IMPORTS}\n{MAGICS}",
        f"{MAGICS}\n{KERNEL}\n!ls",
        "%%bash\nfor x in '''",
        f"%%time\n{LAUNCH}",
    ]
    assert found(*cells) == [(1, 7, "PAL001")]
    assert fixed(*cells) == [cells[0], f"{MAGICS}\n{FIXED}\n!ls", *cells[2:]]
    assert check_notebook(cells).notices == ()


def test_magic_inside_a_kernel_does_not_disturb() -> None:
    kernel = "def add_one(x_ref, o_ref):\n    %debug\n    !ls\n    return x_ref[...] + 1"
    assert fixed(IMPORTS, kernel, LAUNCH) == [IMPORTS, kernel.replace("return", "o_ref[...] ="), LAUNCH]


def test_value_of_a_magic_is_not_known() -> None:
    assert found(IMPORTS, "def add_one(x_ref, o_ref):\n    files = !ls\n    return files", LAUNCH) == []


def test_code_in_another_language_is_not_checked() -> None:
    assert found(IMPORTS, f"%%writefile kernel.py\n{KERNEL}", LAUNCH) == []


def test_argument_of_a_cell_magic_is_checked_but_not_changed() -> None:
    cells = [IMPORTS, f"%%capture\n{KERNEL}", LAUNCH]
    (finding,) = check_notebook(cells).findings
    assert (finding.cell, finding.range.start.line) == (1, 2)
    assert {fix.applicability for fix in finding.fixes()} == {Applicability.NONE}
    assert {fix.reason for fix in finding.fixes()} >= {"The cell is the argument of a `%%` magic."}
    assert fixed(*cells, unsafe=True) == cells


def test_top_level_await_is_legal() -> None:
    assert found(IMPORTS, f"await f()\nasync with a as b: pass\n{KERNEL}", f"y = await g()\n{LAUNCH}") == [
        (1, 3, "PAL001")
    ]
    assert check_notebook([IMPORTS, "await f()", "[x async for x in y]"]).notices == ()


def test_indented_cell_is_checked_and_fixed() -> None:
    kernel, after = (f"    {text}".replace("\n", "\n    ") for text in (KERNEL, FIXED))
    assert found(IMPORTS, kernel, LAUNCH) == [(1, 1, "PAL001")]
    assert fixed(IMPORTS, kernel, LAUNCH) == [IMPORTS, after, LAUNCH]


@pytest.mark.parametrize(
    "broken", ["x = f(", "x = '''\n", 'x = f"""{y', "def g():", "@jax.jit", "for x in y:\n", "!ls\nx = {"]
)
@pytest.mark.parametrize("at", range(4))
def test_broken_cell_takes_no_finding_away(broken: str, at: int) -> None:
    cells = [IMPORTS, KERNEL, LAUNCH]
    cells.insert(at, broken)
    kernel = cells.index(KERNEL)
    assert found(*cells) == [(kernel, 1, "PAL001")]
    assert fixed(*cells)[kernel] == FIXED
    assert {notice.cell for notice in check_notebook(cells).notices} <= {at}


def test_what_does_not_parse_is_told_in_its_cell() -> None:
    (notice,) = check_notebook([IMPORTS, "x = 1\ny = )", "z = 1"]).notices
    assert (notice.cell, notice.range.start.line) == (1, 1)


def test_comments_hide_findings_in_a_cell_and_in_all() -> None:
    assert found(IMPORTS, f"{KERNEL}  # pallas: ignore[PAL001]", LAUNCH) == []
    assert found("# pallas: ignore-file", IMPORTS, KERNEL, LAUNCH) == []
    assert found(IMPORTS, "# pallas: off", KERNEL, "# pallas: on", LAUNCH) == []
    assert found(IMPORTS, "x = '''", f"{KERNEL}  # noqa: PAL001", LAUNCH) == []
    assert found(IMPORTS, "%%bash\n# pallas: ignore-file", KERNEL, LAUNCH) == [(2, 1, "PAL001")]


def test_line_breaks_of_a_cell_stay() -> None:
    kernel = f"%time\r\n{KERNEL}\r\n".replace("\n", "\r\n").replace("\r\r", "\r")
    assert fixed(IMPORTS, kernel, LAUNCH)[1] == kernel.replace("return", "o_ref[...] =")


def test_fixed_notebook_has_nothing_to_fix() -> None:
    after = fix_joined(join([IMPORTS, KERNEL, LAUNCH])).cells
    assert fix_joined(join(after)).cells == after
    assert check_notebook(after).findings == ()


def test_plain_notebook_is_checked_as_the_file_that_it_would_be() -> None:
    joined = join([IMPORTS, KERNEL, LAUNCH])
    assert joined.text == f"{IMPORTS}\n{KERNEL}\n{LAUNCH}"
    assert check_joined(joined).findings == check(joined.text, DEFAULT).findings


def test_notebook_without_code_says_nothing() -> None:
    assert check_notebook([None]).findings == check_notebook([]).findings == ()
    assert fix_joined(join([None])).cells == (None,)

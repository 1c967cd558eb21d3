"""Baselines: what was there is not reported, what is new is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pallas_lsp.cli.baselines import FILE_NAME


@pytest.fixture
def old(project: Path, make: Any, cli: Any) -> Any:
    """A project whose findings are in its baseline."""
    make("pyproject.toml", "")
    make("a.py", "pallas\nx = BUG\nx = BUG\n")
    make("sub/b.py", "pallas RISK\n")
    done = cli("baseline")
    assert (done.code, done.err) == (0, f"Wrote 3 findings to {(project / FILE_NAME).resolve()}.\n")
    return cli


def test_what_is_known_is_not_reported(old: Any) -> None:
    assert old("check") == (0, "All checks passed!\n", f"3 known findings not shown, see {FILE_NAME}.\n")
    assert old("check", "sub").code == 0
    assert old("check", "-q") == (0, "", "")


def test_it_is_told_in_full_when_asked(old: Any) -> None:
    assert old("check", "--no-baseline").code == 1
    assert old("check", "--isolated").code == 1
    assert len(old("check", "--no-baseline", "--output-format", "concise").found) == 3


def test_what_is_new_is_reported(old: Any, make: Any) -> None:
    make("a.py", "# more\npallas\ny = BUG\nx = BUG\n    x = BUG\n")
    make("c.py", "pallas RISK\n")
    done = old("check", "--output-format", "concise")
    assert (done.code, done.found) == (1, ["a.py:3:5: PAL001", "c.py:1:8: PAL002"])


def test_of_several_alike_as_many_are_known_as_there_were(old: Any, make: Any) -> None:
    make("a.py", "pallas\nx = BUG\nx = BUG\nx = BUG\n")
    assert old("check", "--output-format", "concise").found == ["a.py:4:5: PAL001"]


def test_it_is_written_anew(old: Any, make: Any, project: Path) -> None:
    before = Path(FILE_NAME).read_bytes()
    make("c.py", "pallas BUG\n")
    old("baseline")
    assert old("check").code == 0
    Path("c.py").unlink()
    old("baseline")
    assert Path(FILE_NAME).read_bytes() == before
    assert json.loads(before)["findings"][0] == {"path": "a.py", "code": "PAL001", "text": "x = BUG", "count": 2}


def test_it_may_be_kept_elsewhere(project: Path, make: Any, cli: Any) -> None:
    make("k.py")
    assert cli("baseline", "-o", "sub.json", "k.py").code == 0
    assert cli("check", "k.py").code == 1
    assert cli("check", "--baseline", "sub.json", "k.py").code == 0


def test_a_notebook(project: Path, make: Any, cli: Any) -> None:
    make("pyproject.toml", "")
    cells = [{"cell_type": "code", "outputs": [], "source": source} for source in ("pallas", "x = BUG")]
    make("nb.ipynb", json.dumps({"cells": cells, "nbformat": 4}))
    cli("baseline")
    assert cli("check").code == 0


def test_fixes_are_made_all_the_same(old: Any) -> None:
    assert old("check", "--fix").code == 0
    assert Path("a.py").read_text() == "pallas\nx = fine\nx = fine\n"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (None, "cannot be read: No such file or directory"),
        ("{", "is no baseline: "),
        ("[]", 'is no baseline: expected {"version": 1, "findings": [...]}'),
        ('{"version": 2, "findings": []}', 'is no baseline: expected {"version": 1, "findings": [...]}'),
        ('{"version": 1, "findings": [{"path": 1}]}', 'is no baseline: {"path": 1} is no finding'),
    ],
)
def test_a_file_that_is_no_baseline(project: Path, make: Any, cli: Any, content: str | None, problem: str) -> None:
    make("k.py")
    if content is not None:
        make("base.json", content)
    done = cli("check", "--baseline", "base.json", "k.py")
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert done.err.startswith(f"pallas-lsp: error: {Path('base.json').resolve()}: {problem}")


def test_without_a_project_the_file_must_be_named(project: Path, make: Any, cli: Any) -> None:
    make("k.py")
    done = cli("baseline", "k.py")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "--output-file" in done.err

"""What a run keeps in memory: not the program, however many files are checked."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cli.test_process import KERNEL
from pallas_lsp.cli import checking, run
from pallas_lsp.cli.checking import Checking
from pallas_lsp.cli.results import Result
from pallas_lsp.config import DEFAULT
from pallas_lsp.semantics.project import Module, Project

FILES = 30
MOST_MODULES = 5


@pytest.fixture
def no_collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The command line runs without the collector of circular garbage."""
    monkeypatch.setattr(checking, "MAX_MODULES", MOST_MODULES)
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def modules_alive() -> int:
    return sum(isinstance(each, Module) for each in gc.get_objects())


@pytest.mark.usefixtures("no_collector")
@pytest.mark.parametrize("mends", [False, True])
def test_modules_are_forgotten_also_when_there_are_findings_in_them(project: Path, make: Any, mends: bool) -> None:
    make("pyproject.toml", "")
    for number in range(FILES):
        make(f"helper{number}.py", "def half(x):\n    return x / 2\n")
        make(f"k{number}.py", f"from helper{number} import half\n" + KERNEL.replace("+ 1", "+ half(1)"))
    program = Project((project,))
    program.index()
    checker = Checking(program)
    before = modules_alive()
    results = []
    for number in range(FILES):
        path = project / f"k{number}.py"
        asked = {"path": str(path), "shown": path.name}
        if mends:
            results.append(checker.mend_and_examine(path.read_bytes(), DEFAULT, **asked)[0])
        else:
            results.append(checker.examine(path.read_bytes(), DEFAULT, **asked))
    assert all(result.violations or result.fixed for result in results)
    assert modules_alive() - before <= 3 * MOST_MODULES < FILES


def test_texts_of_files_without_findings_are_not_kept(
    project: Path, make: Any, words: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    results: list[Result] = []
    check_files = run.Run.check_files
    monkeypatch.setattr(run.Run, "check_files", lambda *asked: results.extend(found := check_files(*asked)) or found)
    make("clean.py", "pallas\n")
    make("k.py", "pallas BUG\n")
    from pallas_lsp.cli.main import run as execute

    execute(["check", "--silent", "--no-cache"])
    assert [(Path(result.path).name, len(result.sources)) for result in results] == [("clean.py", 0), ("k.py", 1)]

"""What is read of a project without parsing it: any text of any size is read once."""

from __future__ import annotations

import pytest

from pallas_lsp.config import problems_in
from pallas_lsp.semantics.facts import facts_of
from pallas_lsp.semantics.workspace import ImportLine, imports_in
from pallas_lsp.syntax import parse_module
from pallas_lsp.target import target_of
from pallas_lsp.text import SourceText

# Each of these took minutes, or no end of them, when the number of ways to match it grew with its square or faster.
pytestmark = pytest.mark.timeout(60)


@pytest.mark.parametrize(
    ("text", "imported"),
    [
        ("from .a.b import c, d as e  # why\n", ImportLine("a.b", 1, ("c", "d"))),
        ("from . import a\n", ImportLine("", 1, ("a",))),
        ("from.a import b\n", ImportLine("a", 1, ("b",))),
        ("from .. a import b\n", ImportLine("a", 2, ("b",))),
        ("from importlib import a\n", ImportLine("importlib", 0, ("a",))),
        ("  from a import (b,  # (first)\n    c\n)\n", ImportLine("a", 0, ("b", "c"))),
        ("from a import *\n", ImportLine("a", 0, ("*",))),
        ("import a.b as c\n", ImportLine("a.b", 0)),
    ],
)
def test_imports(text: str, imported: ImportLine) -> None:
    assert list(imports_in(text.encode())) == [imported]


@pytest.mark.parametrize("text", ["from" + " " * 100_000, "from " + "." * 100_000, "from a import (\n" * 50_000])
def test_imports_that_are_none(text: str) -> None:
    assert len(list(imports_in(text.encode()))) in (0, 50_000)


@pytest.mark.parametrize("name", ["requirements.txt", "uv.lock", "pyproject.toml"])
@pytest.mark.parametrize(
    "text", ["\n" * 300_000, " \n" * 200_000, "\njax" + " " * 300_000 + "x", 'name = "jax"\n' * 20_000]
)
def test_requirements_that_are_none(tmp_path: object, name: str, text: str) -> None:
    from pathlib import Path

    folder = Path(str(tmp_path))
    (folder / ".git").mkdir()
    (folder / name).write_text(text)
    assert target_of(str(folder / "k.py")) is None


@pytest.mark.parametrize("line", ["a" * 60, "a-" * 5_000, "a . " * 5_000, "'a'." * 5_000, " " * 100_000])
def test_lines_of_settings_that_set_nothing(line: str) -> None:
    text = f"[tool.pallas-lsp]\nunknown = 1\n[project]\ndescription = '''\n{line}\n'''\n"
    (problem,) = problems_in("/p/pyproject.toml", text)
    assert (problem.range.start.line, problem.range.start.character) == (1, 0)


@pytest.mark.parametrize(
    ("text", "names"), [("a[b[c]] = 1\n", {"a", "b"}), ("a[0][1] += 1\n", {"a"}), ("x = a[b[c]]\n", set())]
)
def test_what_is_changed_in_place(text: str, names: set[str]) -> None:
    (chunk,) = parse_module(SourceText(text)).chunks
    assert facts_of(chunk).changed == names


@pytest.mark.parametrize(
    "text", ["x = '" + "a" * 2**20 + "'\n", "x = y" + "[y" * 2**18 + "\n", "y" + " " * 2**20 + "\n"]
)
def test_a_long_line_is_read_once(text: str) -> None:
    for chunk in parse_module(SourceText(text)).chunks:
        assert facts_of(chunk).changed == frozenset()

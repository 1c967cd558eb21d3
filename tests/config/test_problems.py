"""Every mistake in a configuration file, at its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from pallas_lsp.config import problems_in


def marked(name: str, text: str, folder: Path = Path("/p")) -> list[str]:
    """What is underlined in a file, and what is said about it."""
    lines = text.split("\n")
    shown = []
    for problem in problems_in(str(folder / name), text):
        (line, start), (_, end) = ((place.line, place.character) for place in (problem.range.start, problem.range.end))
        shown.append(f"{line + 1}: {lines[line][start:end]}: {problem.message}")
    return shown


def test_a_file_without_mistakes() -> None:
    assert marked("pallas-lsp.toml", 'ignore = ["PAL001"]\n[severity]\nPAL002 = "hint"\n') == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('slect = ["PAL001"]', "1: slect: Unknown setting; did you mean `select`?"),
        ('\nignore = [\n  "PAL001",\n  "PAL01",\n]', '4: "PAL01": Unknown rule `PAL01`; did you mean `PAL901`?'),
        ("target-jax = 0.9", '1: target-jax: Expected a version in quotes, such as "0.9.2", not a number.'),
        ('unsafe-fixes = "yes"', '1: "yes": Expected true or false, not "yes".'),
        (
            '[severity]\nPAL001 = "fatal"',
            "2: \"fatal\": Expected one of error, warning, information, hint, not 'fatal'.",
        ),
        ('[severity]\nPAL00X = "error"', "2: PAL00X: Unknown rule `PAL00X`; did you mean `PAL003`?"),
        ('exclude = ["a["]', '1: "a[": `a[` is not a pattern: `[` is not closed.'),
    ],
)
def test_a_mistake_is_at_its_place(text: str, shown: str) -> None:
    assert marked("pallas-lsp.toml", text) == [shown]


@pytest.mark.parametrize(
    ("text", "place"),
    [("unsafe-fixes = true\nignore = [", "2: ignore = ["), ('a = "b\nc = 1', '1: a = "b'), ("a == 1\n", "1: a == 1")],
)
def test_what_is_no_toml_is_one_mistake_on_its_line(text: str, place: str) -> None:
    (found,) = marked("pallas-lsp.toml", text)
    assert found.startswith(f"{place}: This is not TOML: ")


def test_every_setting_has_its_own_mistake() -> None:
    text = 'slect = []\nignore = "PAL001"\nunsafe-fixes = true\nexclude = 1\n'
    assert [line.split(":")[0] for line in marked("pallas-lsp.toml", text)] == ["1", "2", "4"]


def test_only_our_table_of_a_pyproject_is_read() -> None:
    assert marked("pyproject.toml", "[project]\nslect = 1\n[tool.other]\nslect = 2\n") == []
    assert marked("pyproject.toml", "[project\n") == []
    assert [line.split(":")[0] for line in marked("pyproject.toml", "[tool.pallas-lsp]\nslect = 1\n")] == ["2"]
    assert [line.split(":")[0] for line in marked("pyproject.toml", "[tool]\npallas-lsp = 1\n")] == ["2"]


def test_an_extended_file_that_is_not_there_is_a_mistake(tmp_path: Path) -> None:
    (found,) = marked("pallas-lsp.toml", 'unsafe-fixes = true\nextend = "base.toml"\n', tmp_path)
    assert found.startswith("2: extend: ")
    (tmp_path / "base.toml").write_text("unsafe-fixes = false\n")
    assert marked("pallas-lsp.toml", 'extend = "base.toml"\n', tmp_path) == []

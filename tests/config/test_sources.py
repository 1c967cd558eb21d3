"""Where settings are read from, and which of them win."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from pallas_lsp.config import (
    FILE_NAMES,
    OPTIONS,
    ConfigError,
    Settings,
    combined,
    layer_from_assignment,
    layer_from_options,
    settings_for,
)
from pallas_lsp.findings import Severity


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def read(folder: Path, **how: Any) -> Settings:
    """The settings of a file in `folder`."""
    return settings_for(str(folder / "k.py"), **how)


def failure(folder: Path, **how: Any) -> str:
    with pytest.raises(ConfigError) as caught:
        read(folder, **how)
    return str(caught.value).replace(str(folder) + os.sep, "")


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    assert read(tmp_path, isolated=True) == Settings()
    assert read(tmp_path).source is None


@pytest.mark.parametrize("name", FILE_NAMES)
def test_a_file_is_read(tmp_path: Path, name: str) -> None:
    header = "[tool.pallas-lsp]\n" if name == "pyproject.toml" else ""
    path = write(tmp_path / name, f'{header}ignore = ["PAL002"]\n')
    assert read(tmp_path / "a" / "b") == Settings(ignore=("PAL002",), source=str(path))


def test_in_one_folder_the_more_special_file_wins(tmp_path: Path) -> None:
    write(tmp_path / "pyproject.toml", '[tool.pallas-lsp]\ntarget-jax = "0.4.35"\n')
    write(tmp_path / ".pallas-lsp.toml", 'target-jax = "0.5.3"\n')
    assert read(tmp_path).target_jax == "0.5.3"
    write(tmp_path / "pallas-lsp.toml", 'target-jax = "0.6.2"\n')
    assert read(tmp_path).target_jax == "0.6.2"


def test_the_nearest_file_wins_and_is_not_merged(tmp_path: Path) -> None:
    write(tmp_path / "pallas-lsp.toml", 'target-jax = "0.5.3"\nignore = ["PAL001"]\n')
    write(tmp_path / "a" / "pallas-lsp.toml", 'target-jax = "0.6.2"\n')
    settings = read(tmp_path / "a")
    assert (settings.target_jax, settings.ignore) == ("0.6.2", ())


@pytest.mark.parametrize("text", ["", "[project]\nname = 'pallas-lsp'\n", "broken ["])
def test_a_pyproject_without_our_table_is_passed_over(tmp_path: Path, text: str) -> None:
    write(tmp_path / "pallas-lsp.toml", 'target-jax = "0.5.3"\n')
    write(tmp_path / "a" / "pyproject.toml", text)
    assert read(tmp_path / "a").target_jax == "0.5.3"


def test_a_file_is_read_again_when_it_changed(tmp_path: Path) -> None:
    path = write(tmp_path / "pallas-lsp.toml", 'target-jax = "0.5.3"\n')
    assert read(tmp_path).target_jax == "0.5.3"
    write(path, 'target-jax = "0.10.2"\n')
    assert read(tmp_path).target_jax == "0.10.2"
    path.unlink()
    assert read(tmp_path).target_jax is None


def test_isolated_ignores_files(tmp_path: Path) -> None:
    write(tmp_path / "pallas-lsp.toml", "broken [")
    assert read(tmp_path, isolated=True) == Settings()


def test_a_named_file_is_used_for_every_path(tmp_path: Path) -> None:
    named = write(tmp_path / "other" / "mine.toml", 'target-jax = "0.5.3"\n')
    write(tmp_path / "pallas-lsp.toml", 'target-jax = "0.6.2"\n')
    assert read(tmp_path, config_file=str(named)).target_jax == "0.5.3"


def test_a_named_file_that_is_missing_or_says_nothing(tmp_path: Path) -> None:
    assert failure(tmp_path, config_file=str(tmp_path / "no.toml")) == "no.toml: there is no such file"
    empty = write(tmp_path / "pyproject.toml", "")
    assert failure(tmp_path, config_file=str(empty)) == "pyproject.toml: has no [tool.pallas-lsp] table"


def test_extend(tmp_path: Path) -> None:
    write(tmp_path / "base.toml", 'target-jax = "0.5.3"\nignore = ["PAL002"]\nextend-exclude = ["x"]\n')
    write(tmp_path / "a" / "pallas-lsp.toml", 'extend = "../base.toml"\ntarget-jax = "0.6.2"\nextend-exclude = ["y"]\n')
    settings = read(tmp_path / "a")
    assert (settings.target_jax, settings.ignore) == ("0.6.2", ("PAL002",))
    assert [(item.glob, item.root) for item in settings.exclude.items[-2:]] == [
        ("x", str(tmp_path)),
        ("y", str(tmp_path / "a")),
    ]


def test_extend_goes_on(tmp_path: Path) -> None:
    write(tmp_path / "one.toml", 'extend = "two.toml"\n')
    write(tmp_path / "two.toml", 'target-jax = "0.5.3"\n')
    write(tmp_path / "pallas-lsp.toml", 'extend = "one.toml"\n')
    assert read(tmp_path).target_jax == "0.5.3"


def test_extend_in_a_circle(tmp_path: Path) -> None:
    write(tmp_path / "one.toml", 'extend = "pallas-lsp.toml"\n')
    write(tmp_path / "pallas-lsp.toml", 'extend = "one.toml"\n')
    assert "extend each other: pallas-lsp.toml -> one.toml -> pallas-lsp.toml" in failure(tmp_path)


def test_extend_of_nothing(tmp_path: Path) -> None:
    write(tmp_path / "pallas-lsp.toml", 'extend = "no.toml"\n')
    assert failure(tmp_path) == "pallas-lsp.toml: `extend`: there is no configuration in no.toml"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('ignore = []\nselct = ["PAL001"]\n', "2: `selct`: unknown setting; did you mean `select`?"),
        ("zzz = 1\n", "1: `zzz`: unknown setting; there is none of a similar name"),
        ("select = 3\n", '1: `select`: expected a list of rule codes, such as ["PAL001"], not an integer'),
        ('select = "PAL001"\n', '1: `select`: expected a list of rule codes, such as ["PAL001"], not "PAL001"'),
        ("select = [1]\n", '1: `select`: expected a list of rule codes, such as ["PAL001"], not an integer'),
        ('\nignore = ["PA001"]\n', "2: `ignore`: unknown rule `PA001`; did you mean `PAL001`?"),
        (
            'ignore = ["returning-kernels"]\n',
            "1: `ignore`: unknown rule `returning-kernels`; did you mean `returning-kernel`?",
        ),
        ("unsafe-fixes = 'yes'\n", '1: `unsafe-fixes`: expected true or false, not "yes"'),
        ("target-jax = 0.9\n", '1: `target-jax`: expected a version in quotes, such as "0.9.2", not a number'),
        (
            "target-jax = 2024-01-01\n",
            '1: `target-jax`: expected a version in quotes, such as "0.9.2", not a date or time',
        ),
        ("target-jax = 'new'\n", '1: `target-jax`: expected a version in quotes, such as "0.9.2", not "new"'),
        ("exclude = true\n", '1: `exclude`: expected a list of patterns, such as ["docs/**"], not a boolean'),
        ("severity = []\n", "1: `severity`: expected a table from rule codes to severities, not a list"),
        (
            "[severity]\nPAL001 = 'bad'\n",
            "2: `severity.PAL001`: expected one of error, warning, information, hint, not 'bad'",
        ),
        ("severity = { PA003 = 'hint' }\n", "1: `severity.PA003`: unknown rule `PA003`; did you mean `PAL003`?"),
        ("[per-file-ignores]\n'a/[' = []\n", "2: `per-file-ignores.a/[`: `a/[` is not a pattern: `[` is not closed"),
        ("[per-file-ignores]\n'a' = ['X']\n", "2: `per-file-ignores.a`: unknown rule `X`"),
        ("extend = 1\n", "1: `extend`: expected a path, not an integer"),
        ("a = 1\nb = \n", "2: is not TOML: Invalid value (at line 2, column 5)"),
    ],
)
def test_nothing_that_is_wrong_is_passed_over(tmp_path: Path, text: str, message: str) -> None:
    write(tmp_path / "pallas-lsp.toml", text)
    assert failure(tmp_path) == f"pallas-lsp.toml:{message}"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[tool.pallas-lsp]\n\nselct = 1\n", 3),
        ("[tool]\npallas-lsp.selct = 1\n", 2),
        ('[tool."pallas-lsp"]\n"selct" = 1\n', 2),
        ("[tool]\npallas-lsp = { selct = 1 }\n", 2),
        ("[tool]\npallas-lsp = 1\n", 2),
        ("[project]\nselct = 1\n[tool.pallas-lsp]\nselct = 1\n", 4),
    ],
)
def test_the_line_of_a_mistake_in_pyproject(tmp_path: Path, text: str, line: int) -> None:
    write(tmp_path / "pyproject.toml", text)
    assert failure(tmp_path).startswith(f"pyproject.toml:{line}: ")


def test_a_mistake_is_told_again_on_each_call(tmp_path: Path) -> None:
    write(tmp_path / "pallas-lsp.toml", "selct = 1\n")
    assert failure(tmp_path) == failure(tmp_path)


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "pallas-lsp.toml").write_bytes(b"\xff\xfe")
    assert failure(tmp_path).startswith("pallas-lsp.toml: is not TOML: ")


def test_a_byte_order_mark_is_no_mistake(tmp_path: Path) -> None:
    (tmp_path / "pallas-lsp.toml").write_bytes(b'\xef\xbb\xbftarget-jax = "0.5.3"\n')
    assert read(tmp_path).target_jax == "0.5.3"


def test_severities(tmp_path: Path) -> None:
    write(tmp_path / "base.toml", 'severity = { PAL001 = "hint", PAL002 = "error" }\n')
    write(tmp_path / "pallas-lsp.toml", 'extend = "base.toml"\n[severity]\nreturning-kernel = "warning"\n')
    assert read(tmp_path).severity == {"PAL001": Severity.WARNING, "PAL002": Severity.ERROR}


@pytest.mark.parametrize("spelling", ["extend-select", "extendSelect"])
def test_options_of_the_editor(spelling: str) -> None:
    layer = layer_from_options({spelling: ["PAL001"], "targetJax": None}, root="/p")
    assert settings_for("/p/k.py", overrides=layer, isolated=True) == Settings(extend_select=("PAL001",))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"extendSelekt": []}, "settings: `extendSelekt`: unknown setting; did you mean `extend-select`?"),
        ({"unsafeFixes": 1}, "settings: `unsafeFixes`: expected true or false, not an integer"),
        ({"severity": {"PAL001": "no"}}, "settings: `severity.PAL001`: expected one of"),
        ({"extend": "x"}, "settings: `extend`: can only be set in a configuration file"),
    ],
)
def test_mistakes_in_options_of_the_editor(options: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        layer_from_options(options)
    assert str(caught.value).startswith(message)


def test_assignments() -> None:
    layer = layer_from_assignment('ignore = ["PAL002"]', root="/p")
    assert settings_for("/p/k.py", overrides=layer, isolated=True).ignore == ("PAL002",)
    with pytest.raises(ConfigError, match=r"--config: `ignore=PAL002`: expected KEY = VALUE in TOML"):
        layer_from_assignment("ignore=PAL002")


@pytest.mark.parametrize(
    ("below", "above", "settings"),
    [
        ({"select": ["PAL"], "ignore": ["PAL001"]}, {"select": ["PAL0"]}, Settings(select=("PAL0",))),
        ({"ignore": ["PAL001"]}, {"extend-select": ["PAL001"]}, Settings(extend_select=("PAL001",))),
        ({"ignore": ["PAL001"]}, {"extend-select": ["PAL"]}, Settings(extend_select=("PAL",))),
        ({"ignore": ["PAL"]}, {"extend-select": ["PAL001"]}, Settings(extend_select=("PAL001",), ignore=("PAL",))),
        ({"select": ["PAL001"]}, {"ignore": ["PAL"]}, Settings(select=(), ignore=("PAL",))),
        ({"extend-select": ["PAL001"]}, {"ignore": ["PAL"]}, Settings(ignore=("PAL",))),
        ({"ignore": ["PAL001"]}, {"ignore": ["PAL002"]}, Settings(ignore=("PAL001", "PAL002"))),
        ({"unsafe-fixes": True}, {}, Settings(unsafe_fixes=True)),
        ({"unsafe-fixes": True}, {"unsafe-fixes": False}, Settings()),
    ],
)
def test_a_layer_on_another(below: dict[str, object], above: dict[str, object], settings: Settings) -> None:
    layer = combined(layer_from_options(below), layer_from_options(above))
    assert settings_for("/p/k.py", overrides=layer, isolated=True) == settings


SAMPLES: dict[str, tuple[object, str, object]] = {
    "select": (["PAL001"], "select", ("PAL001",)),
    "extend-select": (["PAL001"], "extend_select", ("PAL001",)),
    "ignore": (["PAL001"], "ignore", ("PAL001",)),
    "severity": ({"PAL001": "hint"}, "severity", {"PAL001": Severity.HINT}),
    "force-exclude": (True, "force_exclude", True),
    "respect-gitignore": (False, "respect_gitignore", False),
    "target-jax": ("0.9.2", "target_jax", "0.9.2"),
    "python": (str(Path("env").absolute()), "python", str(Path("env").absolute())),
    "unsafe-fixes": (True, "unsafe_fixes", True),
}


@pytest.mark.parametrize("key", SAMPLES)
def test_every_option_reaches_the_settings(key: str) -> None:
    written, name, value = SAMPLES[key]
    settings = settings_for("/p/k.py", overrides=layer_from_options({key: written}), isolated=True)
    assert getattr(settings, name) == value != getattr(Settings(), name)


def test_patterns_reach_the_settings() -> None:
    def settings_with(key: str, value: object) -> Settings:
        return settings_for("/p/k.py", overrides=layer_from_options({key: value}, root="/p"), isolated=True)

    assert settings_with("exclude", ["x"]).exclude.matches("/p/x")
    assert not settings_with("exclude", ["x"]).exclude.matches("/p/.git")
    assert settings_with("extend-exclude", ["x"]).exclude.matches("/p/x")
    assert settings_with("extend-exclude", ["x"]).exclude.matches("/p/.git")
    assert settings_with("include", ["*.txt"]).include.matches("/p/x.txt")
    assert not settings_with("include", ["*.txt"]).include.matches("/p/x.py")
    assert settings_with("per-file-ignores", {"x": ["ALL"]}).per_file_ignores[0].hides("PAL001", "/p/x")


def test_every_option_is_tested_above() -> None:
    patterns = {"exclude", "extend-exclude", "include", "per-file-ignores"}
    assert {*SAMPLES, *patterns, "extend"} == {option.key for option in OPTIONS}


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.key)
def test_the_example_of_every_option_is_accepted(tmp_path: Path, option: Any) -> None:
    write(tmp_path / "pallas-lsp.toml", "")
    write(tmp_path / "a" / "pallas-lsp.toml", option.example)
    assert read(tmp_path / "a").source == str(tmp_path / "a" / "pallas-lsp.toml")

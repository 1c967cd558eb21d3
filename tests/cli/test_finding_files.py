"""Which files a command checks."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from pallas_lsp.cli.files import Search
from pallas_lsp.config import DEFAULT
from tests.examples import examples

Shown = Callable[..., str]


@pytest.fixture
def shown(cli: Any, project: Path) -> Shown:
    """The files that would be checked, relative to the current folder, separated by blanks."""

    def call(*arguments: str) -> str:
        code, out, _ = cli("check", "--show-files", *arguments)
        assert code == 0
        return " ".join(os.path.relpath(path, project) for path in out.splitlines())

    return call


def test_python_files_of_a_folder_in_a_stable_order(shown: Shown, make: Any) -> None:
    for name in ("b/z.py", "b/a.pyi", "c.py", "a.py", "b.txt", "d.ipynb", ".hidden.py", ".config/x.py"):
        make(name)
    assert shown() == ".config/x.py .hidden.py a.py b/a.pyi b/z.py c.py d.ipynb"


@pytest.mark.parametrize(
    "folder", [".git", ".venv", "venv", "node_modules", "__pycache__", "build", "dist", "site-packages"]
)
def test_folders_without_code_of_the_project(shown: Shown, make: Any, folder: str) -> None:
    make(f"a/{folder}/k.py")
    make("k.py")
    assert shown() == "k.py"
    assert shown(f"a/{folder}") == f"a/{folder}/k.py"
    assert shown(f"a/{folder}/k.py") == f"a/{folder}/k.py"


def test_a_file_is_checked_once(shown: Shown, make: Any) -> None:
    make("a/k.py")
    assert shown("a/k.py", ".", "a", "./a/../a/k.py") == "a/k.py"


def test_a_named_file_needs_no_special_name(shown: Shown, make: Any) -> None:
    make("script")
    assert shown("script") == "script"


def test_globs(shown: Shown, make: Any) -> None:
    for name in ("a/k.py", "a/b/k_tpu.py", "a/b/c.txt"):
        make(name)
    assert shown("a/**/*_tpu.py") == "a/b/k_tpu.py"
    assert shown("a/*") == "a/b/k_tpu.py a/k.py"


def test_a_name_with_special_characters_is_a_name_first(shown: Shown, make: Any) -> None:
    make("[a].py")
    make("a.py")
    assert shown("[a].py") == "[a].py"


def test_only_files_that_mention_pallas_are_checked(cli: Any, make: Any) -> None:
    make("a.py", "BUG\n")
    make("b.py", "pallas BUG\n")
    assert cli("check", "--output-format", "concise").found == ["b.py:1:8: PAL001"]


def test_a_named_file_is_checked_in_any_case(cli: Any, make: Any) -> None:
    make("a.py", "BUG\n")
    assert cli("check", "a.py", "--output-format", "concise").found == ["a.py:1:1: PAL001"]


def test_paths_outside_of_the_current_folder_are_absolute(cli: Any, make: Any, project: Path) -> None:
    make("../k.py")
    assert cli("check", "..", "--output-format", "concise").found == [f"{project.parent}/k.py:1:8: PAL001"]


def test_links(shown: Shown, make: Any, project: Path) -> None:
    make("a/k.py")
    Path("a/loop").symlink_to(project)
    Path("b").symlink_to("a")
    Path("link.py").symlink_to("a/k.py")
    Path("broken.py").symlink_to("nowhere.py")
    assert shown() == "a/k.py link.py"
    assert shown("b") == "b/k.py"


def test_a_deep_tree(make: Any, project: Path) -> None:
    folders = [project]
    for _ in range(1020):  # Deeper than Python's stack.
        try:
            (folders[-1] / "d").mkdir()
        except OSError:  # The longest path that the system allows.
            break
        folders.append(folders[-1] / "d")
    search = Search(lambda path: DEFAULT, lambda message: None, lambda message: None)
    try:
        assert list(search.targets(["."])) == []
    finally:
        for folder in reversed(folders[1:]):
            folder.rmdir()


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="everything is readable for this user")
def test_a_folder_that_cannot_be_read(cli: Any, make: Any, project: Path) -> None:
    make("a/k.py").parent.chmod(0)
    assert cli("check", "--show-files")[2] == f"warning: {project}/a: not searched: Permission denied\n"


def test_exclude(shown: Shown, make: Any) -> None:
    for name in ("a/k.py", "b/k.py", "venv/k.py"):
        make(name)
    assert shown("--exclude", "a") == "b/k.py venv/k.py"
    assert shown("--extend-exclude", "a,c") == "b/k.py"
    assert shown("--extend-exclude", "a/*") == "b/k.py"
    assert shown("--extend-exclude", "a", "a/k.py") == "a/k.py"
    assert shown("--extend-exclude", "a", "--force-exclude", "a/k.py") == ""
    assert shown("--extend-exclude", "a", "--force-exclude", "a") == ""
    assert shown("--config", "force-exclude=true", "--extend-exclude", "a", "--no-force-exclude", "a") == "a/k.py"


def test_include(shown: Shown, make: Any) -> None:
    make("a/k.py")
    make("k.txt")
    assert shown("--config", 'include=["*.txt"]') == "k.txt"


def test_settings_of_an_inner_folder_hold_there(shown: Shown, make: Any) -> None:
    make("pallas-lsp.toml", 'extend-exclude = ["x.py"]\n')
    make("a/pallas-lsp.toml", 'extend-exclude = ["y.py"]\n')
    for name in ("x.py", "y.py", "a/x.py", "a/y.py", "a/b/y.py", "a/b/z.py", "c/x.py"):
        make(name)
    assert shown() == "a/b/z.py a/x.py y.py"


def test_files_from(shown: Shown, make: Any, cli: Any) -> None:
    for name in ("a.py", "b c.py", "d.py", "é.py"):
        make(name)
    make("list.txt", "a.py\r\n\nb c.py\né.py")
    make("zero.txt", "a.py\0b c.py\0")
    assert shown("--files-from", "list.txt") == "a.py b c.py é.py"
    assert shown("--files-from", "zero.txt") == "a.py b c.py"
    assert shown("--files-from", "list.txt", "d.py") == "d.py a.py b c.py é.py"
    assert cli("check", "--files-from", "-", "--show-files", stdin=b"d.py\n").out.endswith("/d.py\n")


def test_of_a_list_only_files_that_mention_pallas_are_checked(cli: Any, make: Any) -> None:
    make("a.py", "BUG\n")
    make("b.py", "pallas BUG\n")
    make("c.py", "BUG\n")
    Path("d.py").write_bytes(b"\0")
    make("list.txt", "a.py\nb.py\nd.py\n")
    outcome = cli("check", "--files-from", "list.txt", "--output-format", "concise")
    assert (outcome.code, outcome.found, outcome.err) == (1, ["b.py:1:8: PAL001"], "")
    outcome = cli("check", "--files-from", "list.txt", "--output-format", "concise", "c.py")
    assert outcome.found == ["c.py:1:1: PAL001", "b.py:1:8: PAL001"]


def test_an_empty_list_of_files_is_not_the_current_folder(shown: Shown, make: Any) -> None:
    make("a.py")
    make("list.txt", "")
    assert shown("--files-from", "list.txt") == ""


LINES = [
    *(
        "a.py",
        "*.py",
        "!x.py",
        "/x.py",
        "b/",
        "b",
        "!b",
        "b/*",
        "c/",
        "**/c/*",
        "b/**",
        "!b/c/",
        "?.py",
        "[ax].py",
        "**",
    ),
    *("out/*", "!out/z.py", r"\!x.py", "x.py ", r"x.py\ ", "b/c", "/b/c/x.py", "!*/", "#x.py", "**/x.py", "b/**/x.py"),
    *("[!a].py", "[^a].py", "[[:alpha:]].py", "[a-x].py", "[]a].py", "[a", "x.py\r", "\\", "//", "/", "!", r"\a.py"),
    *("b/?/x.py", "b*x.py", "b[/]a.py", "*", "!*", "!*.py", "*/", "**/", "/**", "a**y", r"[\a].py", "out/**/z.py"),
]

GIT_TREE = ("a.py", "b/a.py", "b/c/x.py", "b/c/y.py", "out/z.py", "x.py")


def git(*arguments: str) -> str:
    return subprocess.run(("git", *arguments), check=True, capture_output=True, text=True).stdout


def test_what_git_ignores(shown: Shown, make: Any, project: Path) -> None:
    git("init", "-q")
    for name in GIT_TREE:
        make(name)
    make(".gitignore", "# a comment\n/out/\nx.py\n")
    make("b/c/.gitignore", "!x.py\ny.py\n")
    make(".git/info/exclude", "/a.py\n")
    assert shown() == "b/a.py b/c/x.py"
    assert shown("--no-respect-gitignore") == " ".join(GIT_TREE)
    assert shown("--config", "respect-gitignore=false") == " ".join(GIT_TREE)
    assert shown("--config", "respect-gitignore=false", "--respect-gitignore") == "b/a.py b/c/x.py"
    assert shown("b/c") == "b/c/x.py"
    assert shown("out") == "out/z.py"
    assert shown("out/z.py") == "out/z.py"


def test_an_ignore_file_outside_of_a_repository_says_nothing(shown: Shown, make: Any) -> None:
    make(".gitignore", "a.py\n")
    make("a.py")
    assert shown() == "a.py"


def test_a_repository_in_a_repository_has_its_own_rules(shown: Shown, make: Any) -> None:
    git("init", "-q")
    git("init", "-q", "inner")
    make(".gitignore", "a.py\n")
    make("inner/.gitignore", "b.py\n")
    for name in ("a.py", "inner/a.py", "inner/b.py"):
        make(name)
    assert shown() == "inner/a.py"


@pytest.mark.parametrize("line", LINES)
def test_git_agrees_on_each_line(tmp_path: Path, line: str) -> None:
    assert_git_agrees(tmp_path, [line], [])
    assert_git_agrees(tmp_path, ["*.py"], [line])
    assert_git_agrees(tmp_path, [], [line])


def test_lines_that_are_no_patterns_are_passed_over(shown: Shown, make: Any) -> None:
    git("init", "-q")
    make(".gitignore", "a.py\n!\n//\n[z\n")
    make("a.py")
    make("b.py")
    assert shown() == "b.py"


@examples(60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(*(st.lists(st.sampled_from(LINES), max_size=5) for _ in range(2)))
def test_git_agrees(tmp_path: Path, outer: list[str], inner: list[str]) -> None:
    assert_git_agrees(tmp_path, outer, inner)


def test_git_agrees_that_two_stars_alone_match_in_all_folders(tmp_path: Path) -> None:
    assert_git_agrees(tmp_path, [], ["/**", "!*/"])


def assert_git_agrees(tmp_path: Path, outer: list[str], inner: list[str]) -> None:
    """Compares with `git ls-files` for the lines of two ignore files, one in a folder of the other's."""
    if not (tmp_path / ".git").exists():
        subprocess.run(("git", "init", "-q", str(tmp_path)), check=True)
        for name in GIT_TREE:
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).touch()
    (tmp_path / ".gitignore").write_bytes("\n".join(outer).encode())
    (tmp_path / "b" / ".gitignore").write_bytes("\n".join(inner).encode())
    listed = git("-C", str(tmp_path), "ls-files", "-co", "--exclude-standard", "--", "*.py").splitlines()
    search = Search(lambda path: DEFAULT, lambda message: None, lambda message: None)
    found = [os.path.relpath(target.path, tmp_path) for target in search.targets([str(tmp_path)])]
    assert sorted(found) == sorted(listed)

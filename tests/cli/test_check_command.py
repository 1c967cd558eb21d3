"""`pallas-lsp check`: options, exit codes, what is said where."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

BUG = "pallas BUG\n"


def test_nothing_to_report(cli: Any, make: Any) -> None:
    make("k.py", "pallas\n")
    assert cli("check") == (0, "All checks passed!\n", "")


def test_a_finding(cli: Any, make: Any) -> None:
    make("k.py")
    code, out, err = cli("check", "--output-format", "concise")
    assert code == 1
    assert out == ("k.py:1:8: PAL001 [*] a BUG in `k.py`\nFound 1 error.\n[*] 1 fixable with the `--fix` option.\n")
    assert err == ""


def test_no_files(cli: Any) -> None:
    assert cli("check") == (0, "All checks passed!\n", "warning: no Python files found under the given paths\n")


@pytest.mark.parametrize("arguments", [("no.py",), ("no",), ("*.py",), ("a", "no.py")])
def test_a_path_that_means_nothing(cli: Any, make: Any, arguments: tuple[str, ...]) -> None:
    make("a/k.txt")
    code, _, err = cli("check", *arguments)
    assert (code, err) == (2, f"pallas-lsp: error: {arguments[-1]}: no such file or folder\n")


def test_nothing_passed_when_nothing_was_checked(cli: Any, make: Any) -> None:
    make("k.py", "pallas\n")
    assert cli("check", "k.py", "no.py").out == ""


def test_what_can_be_checked_is_checked_beside_what_cannot(cli: Any, make: Any) -> None:
    make("k.py")
    outcome = cli("check", "no.py", "k.py", "--output-format", "concise")
    assert (outcome.code, outcome.found) == (2, ["k.py:1:8: PAL001"])


def test_a_named_file_that_is_binary(cli: Any) -> None:
    Path("k.py").write_bytes(b"pallas \0 BUG")
    code, out, err = cli("check", "k.py")
    assert (code, out) == (2, "")
    assert err.startswith("pallas-lsp: error: k.py: not analysed: ")


def test_a_found_file_that_is_binary(cli: Any, make: Any) -> None:
    Path("k.py").write_bytes(b"pallas \0 BUG")
    code, _, err = cli("check")
    assert code == 0
    assert err.startswith("warning: k.py: not analysed: ")


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="everything is readable for this user")
def test_a_file_that_cannot_be_read(cli: Any, make: Any) -> None:
    make("k.py").chmod(0)
    assert cli("check", "k.py")[::2] == (2, "pallas-lsp: error: k.py: cannot be read: Permission denied\n")


def test_a_part_that_was_not_analysed(cli: Any, make: Any) -> None:
    make("k.py", "pallas\nNOTICE\n")
    assert cli("check") == (0, "All checks passed!\n", "warning: k.py:2: not understood\n")


def test_an_unknown_encoding_is_told(cli: Any, make: Any) -> None:
    make("k.py", "# coding: klingon\npallas\n")
    assert cli("check")[2].startswith("warning: k.py:1: unknown encoding 'klingon'")


def test_a_broken_settings_file(cli: Any, make: Any, project: Path) -> None:
    make("k.py")
    make("pallas-lsp.toml", "selct = 1\n")
    line = f"pallas-lsp: error: {project}/pallas-lsp.toml:1: `selct`: unknown setting; did you mean `select`?\n"
    assert cli("check") == (2, "", line)


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("pyproject.toml", "[tool.pallas-lsp]\n\nselct = []\n", "3: `selct`: unknown setting; did you mean `select`?"),
        ("pallas-lsp.toml", 'ignore = "PAL001"\n', "1: `ignore`: expected a list of"),
        ("pallas-lsp.toml", '\nselect = ["PAL999"]\n', "2: `select`: unknown rule `PAL999`"),
        ("pallas-lsp.toml", "\nunsafe-fixes = 1\n", "2: `unsafe-fixes`: expected true or false"),
        ("pallas-lsp.toml", '\ntarget-jax = "new"\n', "2: `target-jax`: "),
        ("pallas-lsp.toml", '[severity]\nPAL001 = "bad"\n', "2: `severity.PAL001`: "),
        ("pallas-lsp.toml", "select = [\n", ""),
        ("pallas-lsp.toml", 'extend = "no.toml"\n', ""),
    ],
)
def test_a_mistake_in_the_settings_is_named_with_its_file_and_line(
    cli: Any, make: Any, project: Path, name: str, text: str, problem: str
) -> None:
    make("k.py")
    make(name, text)
    code, out, err = cli("check")
    assert (code, out) == (2, "")
    assert err.startswith(f"pallas-lsp: error: {project}/{name}:{problem}")
    assert err.count("\n") == 1
    assert cli("baseline") == (2, "", err)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("--selct", "x"), "No such option"),
        (("--output-format", "html"), "Invalid value for '--output-format': 'html' is not one of"),
        (("--select", "PA001"), "--select: unknown rule `PA001`; did you mean `PAL001`?"),
        (("--select", ""), "--select: unknown rule ``"),
        (("--ignore", "PAL001,"), "--ignore: unknown rule ``"),
        (("",), "'': no such file or folder"),
        (("--target-jax", "new"), "--target-jax: expected a version in quotes"),
        (("--exclude", "[a"), "--exclude: `[a` is not a pattern: `[` is not closed"),
        (("--config", "selct=[]"), "--config: `selct`: unknown setting; did you mean `select`?"),
        (("--config", "select=PAL001"), "--config: `select=PAL001`: expected KEY = VALUE in TOML"),
        (("--config", "no.toml"), "no.toml: there is no such file"),
        (("--config", "a.toml", "--isolated"), "the settings file a.toml cannot be used together with --isolated"),
        (("--config", "a.toml", "--config", "b.toml"), "the settings file b.toml cannot be used together with another"),
        (("-", "k.py"), "standard input (-) cannot be checked together with files"),
        (("--stdin-filename", "k.py"), "--stdin-filename is for standard input (-)"),
        (("--files-from", "no.txt"), "no.txt: cannot be read: No such file or directory"),
        (("--output-file", "no/out.txt"), "no/out.txt: cannot be written: No such file or directory"),
    ],
)
def test_mistakes_on_the_command_line(cli: Any, make: Any, arguments: tuple[str, ...], line: str) -> None:
    make("k.py")
    code, out, err = cli("check", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("pallas-lsp: error: ")
    assert line in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "codes"),
    [
        ((), "PAL001 PAL002 PAL003"),
        (("--select", "PAL001"), "PAL001"),
        (("--select", "PAL001,dropped-result"), "PAL001 PAL002"),
        (("--select", "PAL001", "--select", "PAL003"), "PAL001 PAL003"),
        (("--select", "ALL", "--ignore", "PAL001"), "PAL002 PAL003"),
        (("--ignore", "PAL001, PAL003"), "PAL002"),
        (("--select", "PAL001", "--extend-select", "PAL003"), "PAL001 PAL003"),
        (("--config", 'ignore=["PAL001"]'), "PAL002 PAL003"),
        (("--config", 'ignore=["PAL001"]', "--extend-select", "PAL001"), "PAL001 PAL002 PAL003"),
        (("--config", "other.toml"), "PAL002"),
    ],
)
def test_selection(cli: Any, make: Any, arguments: tuple[str, ...], codes: str) -> None:
    make("k.py", "pallas BUG\nRISK\nSTUCK\n")
    make("other.toml", 'select = ["PAL002"]\n')
    found = cli("check", "--output-format", "concise", *arguments).found
    assert " ".join(place.split()[1] for place in found) == codes


def test_isolated(cli: Any, make: Any) -> None:
    make("k.py")
    make("pallas-lsp.toml", 'ignore = ["PAL001"]\n')
    assert cli("check").code == 0
    assert cli("check", "--isolated").code == 1


def test_target_jax(cli: Any, make: Any) -> None:
    make("k.py")
    assert 'target-jax = "0.9.2"\n' in cli("check", "--target-jax", "0.9.2", "--show-settings").out


def test_exit_zero(cli: Any, make: Any) -> None:
    make("k.py")
    assert cli("check", "--exit-zero").code == 0
    assert cli("check", "--exit-zero", "--diff").code == 0
    assert cli("check", "--exit-zero", "no.py").code == 2


def test_output_file(cli: Any, make: Any) -> None:
    make("k.py")
    assert cli("check", "-o", "out.txt", "--output-format", "pylint") == (1, "", "")
    assert Path("out.txt").read_text() == "k.py:1: [PAL001] a BUG in `k.py`\n"


@pytest.mark.parametrize(
    ("option", "out", "err"),
    [
        ("--quiet", "k.py:1: [PAL001] a BUG in `k.py`\n", ""),
        ("--silent", "", ""),
    ],
)
def test_saying_less(cli: Any, make: Any, option: str, out: str, err: str) -> None:
    make("k.py", "pallas BUG\nNOTICE\n")
    assert cli("check", option, "--output-format", "pylint") == (1, out, err)


def test_quiet_leaves_out_the_closing_lines(cli: Any, make: Any) -> None:
    make("k.py")
    assert "Found" not in cli("check", "-q").out


def test_errors_are_never_kept_back(cli: Any) -> None:
    assert cli("check", "--silent", "no.py")[2] == "pallas-lsp: error: no.py: no such file or folder\n"


def test_saying_more(cli: Any, make: Any, project: Path) -> None:
    make("k.py", "pallas\n")
    make("other.py", "nothing\n")
    make("pallas-lsp.toml", "")
    assert cli("check", "--verbose")[2] == (
        f"k.py: checked with {project}/pallas-lsp.toml\n2 files found, 1 of them checked\n"
    )


def test_statistics(cli: Any, make: Any) -> None:
    make("k.py", "pallas BUG\nRISK\nBUG\nSTUCK\n")
    assert cli("check", "--statistics").out == (
        "2\tPAL001\t[*] returning-kernel\n"
        "1\tPAL002\t[ ] dropped-result\n"
        "1\tPAL003\t[ ] returning-body\n"
        "Found 4 errors.\n"
        "[*] 2 fixable with the `--fix` option (1 hidden fix can be enabled with the `--unsafe-fixes` option).\n"
    )
    assert cli("check", "--statistics", "--output-format", "json").json[0] == {
        "code": "PAL001",
        "name": "returning-kernel",
        "count": 2,
        "fixable": True,
        "fixable_count": 2,
    }


def test_statistics_of_nothing(cli: Any, make: Any) -> None:
    make("k.py", "pallas\n")
    assert cli("check", "--statistics").out == "All checks passed!\n"


def test_only_hidden_fixes(cli: Any, make: Any) -> None:
    make("k.py", "pallas RISK\nRISK\n")
    tail = "Found 2 errors.\nNo fixes available (2 hidden fixes can be enabled with the `--unsafe-fixes` option).\n"
    assert cli("check").out.endswith(tail)
    assert cli("check", "--unsafe-fixes").out.endswith("Found 2 errors.\n[*] 2 fixable with the `--fix` option.\n")


def test_no_fixes_at_all(cli: Any, make: Any) -> None:
    make("k.py", "pallas STUCK\n")
    assert cli("check").out.endswith("\nFound 1 error.\n")


@pytest.mark.parametrize(
    ("arguments", "environment", "coloured"),
    [
        ((), {}, False),
        (("--color", "always"), {}, True),
        ((), {"FORCE_COLOR": "1"}, True),
        ((), {"FORCE_COLOR": "1", "NO_COLOR": "1"}, True),
        (("--color", "never"), {"FORCE_COLOR": "1"}, False),
        (("-o", "out.txt"), {"FORCE_COLOR": "1"}, False),
        (("-o", "out.txt", "--color", "always"), {}, True),
    ],
)
def test_colours(
    cli: Any, make: Any, monkeypatch: Any, arguments: tuple[str, ...], environment: dict[str, str], coloured: bool
) -> None:
    make("k.py")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    out = cli("check", *arguments).out
    if "-o" in arguments:
        out = Path("out.txt").read_text()
    assert ("\x1b[" in out) is coloured


def test_show_settings(cli: Any, make: Any, project: Path) -> None:
    make("src/k.py")
    make(
        "pallas-lsp.toml",
        'select = ["PAL0"]\nignore = ["PAL002"]\n'
        '[per-file-ignores]\n"!src/**" = ["ALL"]\n[severity]\nPAL001 = "hint"\n',
    )
    out = cli("check", "--show-settings").out
    assert out.startswith(
        f'Resolved settings for: "{project}/src/k.py"\nSettings path: "{project}/pallas-lsp.toml"\n\n'
        'rules = [\n\t"PAL001 (returning-kernel)",\n\t"PAL003 (returning-body)",\n]\n'
        'severity = {\n\t"PAL001" = "hint",\n}\nper-file-ignores = {\n\t"!src/**" = ["ALL"],\n}\n'
    )
    assert 'include = [\n\t"*.py",\n\t"*.pyi",\n\t"*.ipynb",\n]\nforce-exclude = false\n' in out
    assert 'target-jax = "newest"\npython = "none"\n' in out
    assert cli("check", "--show-settings", "--isolated").out.splitlines()[1] == "Settings path: none"


def test_show_settings_tells_what_the_project_says_of_jax(cli: Any, make: Any) -> None:
    make("src/k.py")
    make("requirements.txt", "jax==0.9.1\n")
    assert 'target-jax = "0.9.1"\n' in cli("check", "--show-settings", "src").out
    assert 'target-jax = "0.8.0"\n' in cli("check", "--show-settings", "src", "--target-jax", "0.8.0").out


def test_severity_decides_how_a_finding_is_shown_not_the_exit_code(cli: Any, make: Any) -> None:
    make("k.py")
    outcome = cli("check", "--output-format", "json", "--config", 'severity={PAL001="hint"}')
    assert (outcome.code, outcome.json[0]["severity"]) == (1, "hint")


def test_per_file_ignores(cli: Any, make: Any) -> None:
    make("k.py")
    make("tests/k.py")
    outcome = cli("check", "--output-format", "concise", "--config", 'per-file-ignores={"tests/**"=["ALL"]}')
    assert outcome.found == ["k.py:1:8: PAL001"]


def test_every_format_ends_with_a_line_break_or_is_empty(cli: Any, make: Any) -> None:
    from pallas_lsp.cli.formats import FORMATS

    make("k.py")
    make("empty.py", "pallas\n")
    for name in FORMATS:
        assert cli("check", "--output-format", name).out[-1:] == "\n"
        assert cli("check", "--output-format", name, "empty.py").out[-1:] in ("\n", "")


def test_help_names_the_commands(cli: Any) -> None:
    code, out, _ = cli("--help")
    assert code == 0
    assert [row.split()[0] for row in out.partition("Commands:\n")[2].splitlines()] == [
        "baseline",
        "check",
        "clean",
        "config",
        "explain",
        "kernels",
        "rule",
        "server",
        "verify",
        "version",
    ]


def test_an_unknown_command(cli: Any) -> None:
    code, _, err = cli("chekc")
    assert code == 2
    assert err.startswith("pallas-lsp: error: No such command 'chekc'")


def test_no_command_at_all(cli: Any) -> None:
    code, _, err = cli()
    assert code == 2
    assert "check" in err


def test_a_mistake_of_our_own_is_no_finding(cli: Any, make: Any, monkeypatch: Any) -> None:
    from pallas_lsp.cli import contents

    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    make("k.py")
    monkeypatch.setattr(contents, "check", broken)
    code, _, err = cli("check")
    assert code == 2
    assert "ZeroDivisionError" in err
    assert err.endswith("please report it with the lines above\n")


def test_a_markdown_document_that_is_named_is_checked_and_mended(cli: Any, make: Any, project: Path) -> None:
    document = "# a BUG in words\n\n- x\n\n  ```python\n  pallas BUG\n  ```\n\n```sh\npallas BUG\n```\n"
    make("a.md", document)
    assert cli("check", ".").found == []  # A search leaves documents out.
    outcome = cli("check", "--output-format", "concise", "a.md")
    assert (outcome.code, outcome.found) == (1, ["a.md:6:10: PAL001"])
    assert cli("check", "--fix", "a.md").code == 0
    assert (project / "a.md").read_text() == document.replace("  pallas BUG", "  pallas fine")

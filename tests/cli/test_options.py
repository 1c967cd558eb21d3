"""Every option of every command makes a difference: what is expected with it does not hold without it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import click
import pytest

from cli.conftest import Cli, Outcome, write
from pallas_lsp import lsp
from pallas_lsp.cli.main import commands

BROKEN = "pallas BUG\nRISK\nSTUCK\n"
FILES = {
    "k.py": BROKEN,
    "lib/x.py": "pallas BUG\n",
    "ignored.py": "pallas BUG\n",
    ".gitignore": "ignored.py\n",
    ".git/HEAD": "",
    ".git/launch.py": (  # where no search for files comes
        "from jax.experimental import pallas as pl\n"
        "x = bytearray(500_000_000)\n"
        "y = pl.pallas_call(print, out_shape=None)(1)\n"
    ),
    "other.toml": 'select = ["PAL002"]\n',
    "names.txt": "lib/x.py\n",
}


class Case(NamedTuple):
    """A command line, and what is true with some words in it and false without them.

    Args:
      base: the command line without the words.
      words: an option, with its value.
      holds: looks at what the command did.
      before: command lines that are run first.
      stdin: the bytes of standard input.
    """

    base: str
    words: str
    holds: Callable[[Outcome], bool]
    before: tuple[str, ...] = ()
    stdin: bytes = b""


def finds(*places: str) -> Callable[[Outcome], bool]:
    return lambda outcome: [f"{path}:{code}" for path, code in _found(outcome)] == list(places)


def _found(outcome: Outcome) -> list[tuple[str, str]]:
    return [(where.partition(":")[0], where.split()[-1]) for where in outcome.found]


def exits(code: int) -> Callable[[Outcome], bool]:
    return lambda outcome: outcome.code == code


def says(text: str) -> Callable[[Outcome], bool]:
    return lambda outcome: text in outcome.out + outcome.err


def holds(path: str, text: str) -> Callable[[Outcome], bool]:
    return lambda _: Path(path).exists() and text in Path(path).read_text()


def is_there(pattern: str) -> Callable[[Outcome], bool]:
    return lambda _: bool(list(Path().glob(pattern)))


SHORT = "check --output-format concise"
CASES = {
    "check": [
        Case(SHORT, "--fix", holds("k.py", "pallas fine")),
        Case("check --fix", "--unsafe-fixes", holds("k.py", "fine\nfine")),
        Case("check --fix --unsafe-fixes", "--no-unsafe-fixes", holds("k.py", "fine\nRISK")),
        Case("check", "--fix-only", says("Fixed 2 errors (1 additional fix available with `--unsafe-fixes`).")),
        Case("check", "--diff", says("-pallas BUG\n+pallas fine\n")),
        Case(SHORT, "--baseline base.json", exits(0), before=("baseline -o base.json",)),
        Case(SHORT, "--no-baseline", exits(1), before=("baseline",)),
        Case("check", "--add-ignore", holds("k.py", "# pallas: ignore[PAL001]")),
        Case("check", "--output-format github", says("::error title=")),
        Case("check", "-o out.txt", holds("out.txt", "PAL001")),
        Case("check", "--output-file out.txt", holds("out.txt", "PAL001")),
        Case("check", "--statistics", says("2\tPAL001\t[*] returning-kernel\n")),
        Case("check", "--watch -", says("--watch cannot be used together with standard input (-)")),
        Case(
            "check", "--show-files", lambda outcome: [Path(row).name for row in outcome.out.split()] == ["k.py", "x.py"]
        ),
        Case("check", "--show-settings", says("Resolved settings for: ")),
        Case(SHORT, "--select PAL003", finds("k.py:PAL003")),
        Case(f"{SHORT} --select PAL003", "--extend-select PAL002", finds("k.py:PAL002", "k.py:PAL003")),
        Case(SHORT, "--ignore PAL001", finds("k.py:PAL002", "k.py:PAL003")),
        Case("check --show-settings", "--target-jax 0.9.2", says('target-jax = "0.9.2"\n')),
        Case(f"{SHORT} --select PAL001", "--exclude lib", finds("k.py:PAL001")),
        Case(f"{SHORT} --select PAL001", "--extend-exclude k.py", finds("lib/x.py:PAL001")),
        Case(f"{SHORT} --exclude lib lib/x.py", "--force-exclude", exits(0)),
        Case(f"{SHORT} --exclude lib --force-exclude lib/x.py", "--no-force-exclude", exits(1)),
        Case(
            f"{SHORT} --select PAL001 --config respect-gitignore=false",
            "--respect-gitignore",
            finds("k.py:PAL001", "lib/x.py:PAL001"),
        ),
        Case(
            f"{SHORT} --select PAL001",
            "--no-respect-gitignore",
            finds("ignored.py:PAL001", "k.py:PAL001", "lib/x.py:PAL001"),
        ),
        Case(SHORT, "--files-from names.txt", finds("lib/x.py:PAL001")),
        Case(f"{SHORT} -", "--stdin-filename named.py", says("named.py:1:8: PAL001"), stdin=b"pallas BUG\n"),
        Case(SHORT, "--config other.toml", finds("k.py:PAL002")),
        Case(SHORT, "--isolated", exits(1), before=("baseline",)),
        Case("check", "--no-cache", lambda _: not Path(".pallas_lsp_cache").exists()),
        Case("check", "-j 0", says("Invalid value for '-j' / '--jobs'")),  # What they do is in test_pool.
        Case("check", "--jobs 0", says("Invalid value for '-j' / '--jobs'")),
        Case("check", "-e", exits(0)),
        Case("check", "--exit-zero", exits(0)),
        Case("check --fix lib", "--exit-non-zero-on-fix", exits(1)),
        Case("check", "--color always", says("\x1b[")),
        Case("check", "-v", says("k.py: checked with")),
        Case("check", "--verbose", says("k.py: checked with")),
        Case("check", "-q", lambda outcome: outcome.code == 1 and "Found" not in outcome.out),
        Case("check", "--quiet", lambda outcome: outcome.code == 1 and "Found" not in outcome.out),
        Case("check", "-s", lambda outcome: outcome == (1, "", "")),
        Case("check", "--silent", lambda outcome: outcome == (1, "", "")),
    ],
    "baseline": [
        Case("baseline", "-o base.json", is_there("base.json")),
        Case("baseline", "--output-file base.json", is_there("base.json")),
    ],
    "config": [Case("config select", "--output-format json", says('"example": '))],
    "kernels": [Case("kernels", "--output-format json", says('"kernels": '))],
    "rule": [
        Case("rule PAL001", "--output-format markdown", says("# returning-kernel (PAL001)")),
        Case("rule", "--all", says("unused-ignore (PAL901)")),
    ],
    "server": [
        Case("server --tcp", "--stdio", says("('stdio', ")),
        Case("server", "--tcp", says("('tcp', ")),
        Case("server", "--ws", says("('ws', ")),
        Case("server --tcp", "--host ::1", says("'::1'")),
        Case("server --tcp", "--port 2087", says("2087")),
    ],
    "verify": [
        Case("verify .git/launch.py", "--memory 400", says("MemoryError")),
        Case("verify .git/launch.py", "--output-format json", says('"problems": ')),
        Case("verify .git/launch.py", "--python no-such-python", says("no-such-python cannot be started")),
        Case("verify .git/launch.py", "--timeout 0.01", says("stopped after 0.01 seconds")),
    ],
    "version": [Case("version", "--output-format json", says('"python": '))],
}


def command_named(name: str) -> click.Command:
    command = commands.get_command(click.Context(commands), name)
    assert command is not None
    return command


def spellings(name: str) -> set[str]:
    """All ways to write the options of a command."""
    options = (each for each in command_named(name).params if isinstance(each, click.Option))
    return {spelling for option in options for spelling in (*option.opts, *option.secondary_opts)}


@pytest.fixture(autouse=True)
def a_server_that_only_says_where(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lsp, "serve", lambda *how: print(how) or 0)


@pytest.fixture
def outcome_of(cli: Cli, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """What a command line does in a project of its own."""
    number = iter(range(9))

    def outcome(case: Case, line: str) -> Outcome:
        folder = project / str(next(number))
        for name, text in FILES.items():
            write(folder / name, text)
        monkeypatch.chdir(folder)
        for before in case.before:
            assert cli(*before.split()).code == 0
        return cli(*line.split(), stdin=case.stdin)

    yield outcome
    os.chdir(project)


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=f"{name} {case.words}", marks=pytest.mark.jax if name == "verify" else ())
        for name, cases in CASES.items()
        for case in cases
    ],
)
def test_an_option_makes_the_difference(outcome_of: Any, case: Case) -> None:
    without = outcome_of(case, case.base)
    assert not case.holds(without), without
    with_words = outcome_of(case, f"{case.base} {case.words}")
    assert case.holds(with_words), with_words


NAMES = commands.list_commands(click.Context(commands))


@pytest.mark.parametrize("name", NAMES)
def test_no_option_is_left_out(name: str) -> None:
    assert {case.words.split()[0] for case in CASES.get(name, [])} == spellings(name)


@pytest.mark.parametrize("name", NAMES)
def test_help_explains_every_option(cli: Cli, name: str) -> None:
    code, out, _ = cli(name, "--help")
    assert code == 0
    flat = " ".join(out.split())
    for each in command_named(name).params:
        if isinstance(each, click.Option):
            assert each.help, each.name
            assert each.help.endswith("."), each.name
            assert all(re.search(rf"{re.escape(spelling)}\b", out) for spelling in (*each.opts, *each.secondary_opts))
            assert each.help.split()[0] in flat

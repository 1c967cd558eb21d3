"""The bar on a terminal that shows how far a run is."""

from __future__ import annotations

import io
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cli.test_process import command, environment
from pallas_lsp.cli import console as console_module
from pallas_lsp.cli import progress as progress_module
from pallas_lsp.cli.console import Console, Palette, Verbosity, progress_on
from pallas_lsp.cli.progress import DELAY, Progress


class Terminal(io.StringIO):
    """A terminal that does not say how wide it is."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """The time of the progress, which stands still until a test moves it."""
    time = [0.0]
    monkeypatch.setattr(progress_module, "monotonic", lambda: time[0])
    yield time


def screen(written: str) -> list[str]:
    """The pictures of a line that were drawn over each other."""
    return [picture.rstrip() for picture in written.split("\r") if picture.strip()]


def test_a_short_run_shows_nothing(clock: list[float]) -> None:
    terminal = Terminal()
    with Progress(terminal) as progress:
        progress.begin("Checking:", 2)
        clock[0] += DELAY - 0.01
        progress.advance()
        progress.advance()
    assert terminal.getvalue() == ""


def test_a_long_run_shows_how_far_it_is(clock: list[float]) -> None:
    terminal = Terminal()
    with Progress(terminal) as progress:
        progress.begin("Looking for files:")
        clock[0] += DELAY
        progress.advance()
        progress.begin("Checking:", 4)
        for _ in range(4):
            clock[0] += DELAY
            progress.advance()
    bars = [f"Checking: [{'#' * full}{'-' * (30 - full)}] {done}/4" for done, full in enumerate((7, 15, 22, 30), 1)]
    assert screen(terminal.getvalue()) == ["Looking for files: 1", *bars]
    assert terminal.getvalue().endswith(f"\r{' ' * len(bars[-1])}\r")


def test_it_is_not_drawn_for_every_step(clock: list[float]) -> None:
    terminal = Terminal()
    progress = Progress(terminal)
    progress.begin("Checking:", 1000)
    clock[0] += DELAY
    for _ in range(1000):
        clock[0] += 0.01
        progress.advance()
    assert len(screen(terminal.getvalue())) <= 101


def test_it_gives_way_to_what_is_said(clock: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(console_module.sys, "stderr", terminal)
    monkeypatch.setenv("NO_COLOR", "1")
    progress = Progress(terminal)
    console = Console(io.BytesIO(), Verbosity.DEFAULT, Palette(), progress)
    for say in (console.warning, console.error, console.note, console.write):
        clock[0] += DELAY
        progress.begin("Checking:")
        progress.advance()
        say("hello")
    wiped = f"\rChecking: 1\r{' ' * len('Checking: 1')}\r"
    said = ("warning: hello\n", "pallas-lsp: error: hello\n", "hello\n", "")
    assert terminal.getvalue() == "".join(wiped + line for line in said)


@pytest.mark.parametrize(
    ("stream", "verbosity", "environ"),
    [
        (io.StringIO(), Verbosity.VERBOSE, {}),
        (Terminal(), Verbosity.QUIET, {}),
        (Terminal(), Verbosity.SILENT, {}),
        (Terminal(), Verbosity.DEFAULT, {"TERM": "dumb"}),
    ],
)
def test_where_there_is_none(
    clock: list[float],
    monkeypatch: pytest.MonkeyPatch,
    stream: io.StringIO,
    verbosity: Verbosity,
    environ: dict[str, str],
) -> None:
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    progress = progress_on(stream, verbosity)
    clock[0] += DELAY
    progress.advance()
    assert stream.getvalue() == ""


SLOW = """\
import itertools, sys
from pallas_lsp.cli import progress
ticks = itertools.count()
progress.monotonic = lambda: next(ticks)
from pallas_lsp.cli.main import run
sys.exit(run(sys.argv[1:]))
"""
"""The command line for which a second passes at each look at the clock."""


@pytest.mark.skipif(os.name == "nt", reason="no such terminals")
@pytest.mark.parametrize(
    ("arguments", "shown"),
    [(("check",), True), (("check", "--quiet"), False), (("check", "--silent"), False), (("baseline",), True)],
)
def test_a_run_on_a_terminal(project: Path, make: Any, arguments: tuple[str, ...], shown: bool) -> None:
    for name in "abc":
        make(f"{name}.py", "pallas\n")
    make("pyproject.toml", "")
    reading, writing = os.openpty()
    try:
        program = (command()[0], "-c", SLOW, *arguments)
        environ = environment(TERM="xterm")
        done = subprocess.run(program, stdout=subprocess.PIPE, stderr=writing, env=environ)
        os.write(writing, b"end")
        drawn = read_to(reading, "end")
    finally:
        os.close(reading)
        os.close(writing)
    assert done.returncode == 0
    assert ("Checking: [" in drawn) is shown
    assert ("Looking for files: 3" in drawn) is shown
    assert "Checking" not in done.stdout.decode()


def read_to(reading: int, end: str) -> str:
    """What was written to a terminal until some text."""
    read = ""
    while not read.endswith(end):
        read += os.read(reading, 1000).decode()
    return read


def test_standard_error_that_is_no_terminal_gets_none(project: Path, make: Any) -> None:
    make("k.py", "pallas\n")
    done = subprocess.run((command()[0], "-c", SLOW, "check"), capture_output=True, text=True, env=environment())
    assert (done.returncode, done.stdout, done.stderr) == (0, "All checks passed!\n", "")

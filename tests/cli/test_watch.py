"""`check --watch`: checks again when something has changed."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import pytest

from cli.test_process import FIXED, KERNEL, command, environment
from pallas_lsp.cli.watching import Watched
from pallas_lsp.config import settings_for

PASSED = "All checks passed!\n"
WAITING = "Watching for changes; Ctrl-C ends.\n"
HANG = 60
"""Seconds after which a test gives up: nothing here depends on how fast anything is."""


class Watch:
    """A running `check --watch`, whose reports come to a test one after another."""

    def __init__(self, *arguments: str, stdout: int = subprocess.PIPE) -> None:
        self.process = subprocess.Popen(
            command("check", "--watch", *arguments), stdout=stdout, stderr=subprocess.PIPE, env=environment()
        )
        self._timer = threading.Timer(HANG, self.process.kill)
        self._timer.start()

    def messages(self) -> list[str]:
        """The lines on standard error up to the next one that says that it waits."""
        assert self.process.stderr is not None
        lines = []
        for line in self.process.stderr:
            if line.decode() == WAITING:
                return lines
            lines.append(line.decode())
        raise AssertionError(f"ended: {lines}")

    def report(self, rows: int = 1) -> str:
        """The next lines on standard output, once it waits."""
        assert self.process.stdout is not None
        self.messages()
        return "".join(self.process.stdout.readline().decode() for _ in range(rows))

    def interrupt(self) -> int:
        """What Ctrl-C makes of it: the exit code."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait()

    def close(self) -> None:
        self._timer.cancel()
        self.process.kill()
        self.process.wait()
        streams: list[IO[bytes] | None] = [self.process.stdout, self.process.stderr]
        for stream in filter(None, streams):
            stream.close()


@pytest.fixture
def watch() -> Iterator[Any]:
    """Starts a watch, and ends it with the test."""
    started: list[Watch] = []

    def start(*arguments: str, **how: Any) -> Watch:
        started.append(Watch(*arguments, **how))
        return started[-1]

    yield start
    for one in started:
        one.close()


needs_signals = pytest.mark.skipif(os.name == "nt", reason="no such signal")


@needs_signals
def test_a_file_that_changes_is_checked_again_until_an_interrupt(project: Path, make: Any, watch: Any) -> None:
    make("k.py", FIXED)
    running = watch("--output-format", "concise")
    assert running.report() == PASSED
    make("k.py", KERNEL)
    assert running.report(3).startswith("k.py:6:5: PAL001 [*] ")
    make("k.py", FIXED)
    assert running.report() == PASSED
    make("other.py", KERNEL)
    assert running.report(3).startswith("other.py:6:5: PAL001 [*] ")
    Path("other.py").unlink()
    assert running.report() == PASSED
    assert running.interrupt() == 130
    assert running.process.stderr.read() == b""


@needs_signals
def test_settings_that_change_hold_at_once_and_mistakes_in_them_are_survived(
    project: Path, make: Any, watch: Any
) -> None:
    make("k.py", KERNEL)
    running = watch("--output-format", "concise")
    assert running.report(3).startswith("k.py:6:5: PAL001 [*] ")
    make("pallas-lsp.toml", "selct = []\n")
    assert running.messages() == [
        f"pallas-lsp: error: {project}/pallas-lsp.toml:1: `selct`: unknown setting; did you mean `select`?\n"
    ]
    make("pallas-lsp.toml", 'ignore = ["PAL001"]\n')
    assert running.report() == PASSED


@needs_signals
def test_what_is_checked_may_come_and_go(project: Path, make: Any, watch: Any) -> None:
    running = watch("k.py")
    assert running.messages() == ["pallas-lsp: error: k.py: no such file or folder\n"]
    make("k.py", FIXED)
    assert running.report() == PASSED


@needs_signals
def test_a_list_of_files_is_read_again(project: Path, make: Any, watch: Any) -> None:
    make("a.py", FIXED)
    make("b.py", KERNEL)
    make("list.txt", "a.py\n")
    running = watch("--output-format", "concise", "--files-from", "list.txt")
    assert running.report() == PASSED
    make("list.txt", "a.py\nb.py\n")
    assert running.report(3).startswith("b.py:6:5: PAL001 [*] ")


@needs_signals
def test_a_report_in_a_file_that_is_watched_over_is_no_change(project: Path, make: Any, watch: Any) -> None:
    make("k.py", FIXED)
    make("pyproject.toml", "")
    running = watch("--output-format", "json", "--output-file", "report.json")
    running.messages()
    assert Path("report.json").read_text() == "[]\n"
    make("k.py", KERNEL)
    running.messages()
    assert '"PAL001"' in Path("report.json").read_text()


@needs_signals
@pytest.mark.parametrize(("arguments", "cleared"), [((), True), (("--output-file", "out.txt"), False)])
def test_a_terminal_is_cleared(project: Path, make: Any, watch: Any, arguments: tuple[str, ...], cleared: bool) -> None:
    make("k.py", FIXED)
    reading, writing = os.openpty()
    try:
        watch(*arguments, stdout=writing).messages()
        os.write(writing, b"end")
        shown = b""
        while not shown.endswith(b"end"):
            shown += os.read(reading, 1000)
    finally:
        os.close(reading)
        os.close(writing)
    assert shown.startswith(b"\x1b[2J") is cleared


@pytest.mark.parametrize(
    "arguments",
    [("-",), ("--files-from", "-"), ("--fix",), ("--fix-only",), ("--add-ignore",), ("--show-files",)],
    ids=" ".join,
)
def test_what_cannot_be_watched(cli: Any, arguments: tuple[str, ...]) -> None:
    code, out, err = cli("check", "--watch", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("pallas-lsp: error: --watch cannot be used together with ")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("k.py", "pallas\n\n"),
        ("new.py", ""),
        ("lib/deep/new.py", ""),
        ("pallas-lsp.toml", 'ignore = ["PAL001"]\n'),
        ("src/pallas-lsp.toml", 'ignore = ["PAL001"]\n'),
        ("base.toml", 'ignore = ["PAL002"]\n'),
        (".gitignore", "src\n"),
        ("requirements.txt", "jax==0.9.1\n"),
        ("known.json", "{}"),
    ],
)
def test_what_counts_as_a_change(project: Path, make: Any, name: str, text: str) -> None:
    (project / ".git").mkdir()
    make("pyproject.toml", '[tool.pallas-lsp]\nextend = "base.toml"\n')
    make("base.toml", 'ignore = ["PAL001"]\n')
    make("k.py", "pallas\n")
    make("src/k.py", "pallas\n")
    look = Watched(lambda: ["."], settings_for, ["known.json"])
    before = look()
    assert look() == before
    make(name, text)
    assert look() != before


@pytest.mark.parametrize("name", ["notes.txt", ".pallas_lsp_cache/0.json", "out/report.json", ".venv/lib/k.py"])
def test_what_does_not(project: Path, make: Any, name: str) -> None:
    make("pyproject.toml", "")
    make("k.py", "pallas\n")
    look = Watched(lambda: ["."], settings_for, [])
    before = look()
    make(name, "text")
    assert look() == before

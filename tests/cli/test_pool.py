"""Several processes: the same report as one makes, whatever happens to them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from cli.test_process import KERNEL, command, environment
from pallas_lsp.cli import contents, pool
from pallas_lsp.cli.main import run

linux = pytest.mark.skipif(sys.platform != "linux", reason="processes are copies here")


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes two processes worth while for any two files."""
    monkeypatch.setattr(pool, "process_count", lambda jobs, most: min(2, most, len(jobs)))


def test_the_report_is_that_of_one_process(project: Path, processes: None, make: Any, capsysbinary: Any) -> None:
    make("pyproject.toml", "")
    make("helper.py", "from jax.experimental import pallas as pl\ndef launch(k):\n    return pl.pallas_call(k)\n")
    for number in range(6):
        make(f"a{number}.py", KERNEL + "#" * 1000 * (number % 3))
        make(f"b{number}.py", f"# pallas\nfrom helper import launch\nout = launch(lambda x_ref: {number})(1)\n")
        make(f"c{number}.py", f"{KERNEL}x = = {number}\n")
    make("broken.py", "# pallas\n# coding: utf-8\n\udcff".encode("utf-8", "surrogateescape").decode("latin-1"))
    (Path("nul.py")).write_bytes(b"# coding: nonsense\n# pallas\n")
    run(("check", "--no-cache"))
    several = capsysbinary.readouterr()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pool, "process_count", lambda jobs, most: 1)
        run(("check", "--no-cache"))
    assert several == capsysbinary.readouterr()
    assert several.out.count(b"PAL001") == 18


@pytest.mark.parametrize(("option", "started"), [((), 4), (("--jobs", "3"), 3), (("-j", "2"), 2), (("-j", "1"), 0)])
def test_no_more_processes_than_wanted(
    project: Path, make: Any, monkeypatch: pytest.MonkeyPatch, option: tuple[str, ...], started: int
) -> None:
    counts = []
    monkeypatch.setattr(pool, "WORTH_BYTES", 1)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(4), raising=False)
    monkeypatch.setattr(pool, "outcomes", lambda jobs, project, processes: counts.append(processes) or ())
    for number in range(5):
        make(f"k{number}.py", KERNEL)
    assert run(("check", "--silent", "--no-cache", *option)) == 1
    assert sum(counts) == started


@linux
def test_a_process_that_is_killed_costs_time_only(
    project: Path, processes: None, make: Any, monkeypatch: pytest.MonkeyPatch, capsysbinary: Any
) -> None:
    make("pyproject.toml", "")
    for number in range(6):
        make(f"k{number}.py", KERNEL)
    check, parent = contents.check, os.getpid()

    def killed(*arguments: Any, path: str, **more: Any) -> Any:
        if path.endswith("k3.py") and os.getpid() != parent:
            os.kill(os.getpid(), signal.SIGKILL)
        return check(*arguments, path=path, **more)

    monkeypatch.setattr(contents, "check", killed)
    assert run(("check", "--no-cache", "-q")) == 1
    assert capsysbinary.readouterr().out.count(b"PAL001") == 6


@linux
def test_an_interrupt_ends_all_of_them(project: Path, make: Any) -> None:
    make("pyproject.toml", "")
    more = "\n".join(f"def f{line}(x):\n    return pl.load(x)\n" for line in range(100))
    for number in range(300):
        make(f"k{number}.py", f"{KERNEL}{more}# {number}\n")
    process = subprocess.Popen(
        command("check", "--no-cache"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        start_new_session=True,
    )
    deadline = time.monotonic() + 30
    while not (children := _children(process.pid)):
        assert process.poll() is None
        assert time.monotonic() < deadline
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (130, b"")
    while any(Path(f"/proc/{child}").exists() for child in children):
        assert time.monotonic() < deadline


def _children(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []

"""Processes that a test has started, directly or not: which there are, and how they end."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from pathlib import Path


def descendants(process_id: int) -> dict[int, str]:
    """The command lines of all processes below one, by id; Linux."""
    parents: dict[int, int] = {}
    lines: dict[int, str] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError):
                status = (folder / "stat").read_text()
                parents[int(folder.name)] = int(status.rpartition(")")[2].split()[1])
                lines[int(folder.name)] = (folder / "cmdline").read_text().replace("\0", " ")
    below, found = {process_id}, True
    while found:
        found = {child for child, parent in parents.items() if parent in below} - below
        below |= found
    return {child: lines[child] for child in below - {process_id}}


def end_group(process: subprocess.Popen[bytes]) -> None:
    """Ends a process that leads its own group, and all that it has started."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(5)
            if number is signal.SIGTERM:
                continue

"""Checks files in several processes, where there are enough of them to make up for starting these."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import NamedTuple

from pallas_lsp.cli.checking import Checking
from pallas_lsp.cli.files import read
from pallas_lsp.cli.records import Record, record_of
from pallas_lsp.config import Settings
from pallas_lsp.semantics.project import Project
from pallas_lsp.text import UndecodableError

WORTH_BYTES = 500_000
"""The size of files from which on more processes are faster: one takes as long to start as 100 kB take to check."""

MAX_PROCESSES = 16
"""More processes do not help: each reads the modules that many files import."""


class Job(NamedTuple):
    """A file to check.

    Args:
      number: by which its outcome is told.
      path: absolute.
      settings: that hold for it.
      size: in bytes.
    """

    number: int
    path: str
    settings: Settings
    size: int


class Outcome(NamedTuple):
    """What came of a job.

    Args:
      number: of the job.
      record: the result.
      consulted: the files that were looked into.
    """

    number: int
    record: Record | None
    consulted: tuple[str, ...]


def process_count(jobs: Sequence[Job], most: int = MAX_PROCESSES) -> int:
    """How many processes to use for these jobs, `most` at most; 1 means this one."""
    if len(jobs) < 2 or sum(job.size for job in jobs) < WORTH_BYTES:
        return 1
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(available, most, len(jobs))


def outcomes(jobs: Sequence[Job], project: Project, processes: int) -> Iterator[Outcome]:
    """Checks files, the largest first; what has no outcome is left to the caller, such as a file that is not text.

    Args:
      jobs: the files.
      project: which knows the files of the program, and none of what is in them.
      processes: how many to start.
    """
    # A copy of this process is there at once, and this one has no threads; elsewhere Python starts anew.
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    executor = ProcessPoolExecutor(processes, context, _start, (project,))
    try:
        with _interrupts_held_back():
            found = executor.map(_outcome, sorted(jobs, key=lambda job: -job.size))
        yield from (outcome for outcome in found if outcome is not None)
    except BrokenProcessPool:
        return  # a process was killed, perhaps for want of memory: one at a time needs less
    finally:
        executor.shutdown(wait=False, cancel_futures=True)
        for process in multiprocessing.active_children():
            process.terminate()


@contextlib.contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Has an interrupt wait until all processes have started: in the midst of that it would be lost."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_checking: Checking


def _start(project: Project) -> None:
    global _checking
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process is told as well, and ends the others
    _checking = Checking(project)


def _outcome(job: Job) -> Outcome | None:
    try:
        data = read(job.path)
        result = _checking.examine(data, job.settings, path=job.path, shown="")
    except (OSError, UndecodableError):
        return None
    return Outcome(job.number, record_of(result), tuple(_checking.consulted))

"""The thread in which analysis runs, so that the event loop stays free to read what the client sends."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")

# Parsers recurse on the stack of their thread: macOS and musl give less to a thread by default.
_STACK_SIZE = 16 << 20


class Worker:
    """One thread that runs what it is given, in order. A process can end while it is busy."""

    def __init__(self) -> None:
        self._jobs: queue.SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = queue.SimpleQueue()
        previous = threading.stack_size(_STACK_SIZE)
        try:
            threading.Thread(target=self._work, name="analysis", daemon=True).start()
        finally:
            threading.stack_size(previous)

    def post(self, job: Callable[[], T]) -> Future[T]:
        """Has `job` run in the thread, after those that were posted before."""
        future: Future[T] = Future()
        self._jobs.put((future, job))
        return future

    async def run(self, job: Callable[[], T]) -> T:
        """Runs `job` in the thread and gives its result or its exception.

        A job whose waiter is cancelled before its turn is not run.
        """
        return await asyncio.wrap_future(self.post(job))

    def _work(self) -> None:
        while True:
            future, job = self._jobs.get()
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(job())
            except Exception as error:
                future.set_exception(error)
            del future, job

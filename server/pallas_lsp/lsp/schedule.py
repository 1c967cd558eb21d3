"""When to do what a change asks for: the first at once, of a burst only what is newest."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

logger = logging.getLogger(__name__)

_LONGEST_REST = 0.25


class Scheduler:
    """Runs one job at a time for each key.

    A request for an idle key runs at once. Requests during a run lead to one more run, after a rest as long as the run
    took (at most a quarter of a second), so that a slow job and fast typing leave half of the time to others.

    Args:
      run: the job; it looks at the newest state by itself. If it raises, that is logged.
    """

    def __init__(self, run: Callable[[str], Awaitable[None]]) -> None:
        self._run = run
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()

    def request(self, key: str) -> None:
        """Asks for a run that begins after this call."""
        if key in self._tasks:
            self._again.add(key)
        else:
            self._tasks[key] = asyncio.create_task(self._repeat(key))

    async def _repeat(self, key: str) -> None:
        clock = asyncio.get_running_loop().time
        try:
            while True:
                self._again.discard(key)
                begin = clock()
                try:
                    await self._run(key)
                except Exception:
                    logger.exception("The diagnostics of %s failed", key)
                if key not in self._again:
                    return
                await asyncio.sleep(min(clock() - begin, _LONGEST_REST))
        finally:
            del self._tasks[key]

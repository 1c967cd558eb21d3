"""The first change is looked at at once, a burst of them once more."""

from __future__ import annotations

import asyncio

import pytest

from pallas_lsp.lsp.schedule import Scheduler


class Job:
    """A job that waits to be let go on, and remembers when it ran."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.gate = asyncio.Event()

    async def __call__(self, key: str) -> None:
        self.begun.append(key)
        await self.gate.wait()


async def settled(job: Job, runs: int) -> None:
    """Lets the loop go on until the job has begun so often."""
    while len(job.begun) < runs:
        await asyncio.sleep(0)


def test_the_first_request_runs_at_once() -> None:
    async def scenario() -> None:
        job = Job()
        Scheduler(job).request("a")
        await asyncio.sleep(0)
        assert job.begun == ["a"]

    asyncio.run(scenario())


def test_requests_during_a_run_lead_to_one_more() -> None:
    async def scenario() -> None:
        job = Job()
        scheduler = Scheduler(job)
        for _ in range(20):
            scheduler.request("a")
            await asyncio.sleep(0)
        assert job.begun == ["a"]
        job.gate.set()
        await settled(job, 2)
        assert job.begun == ["a", "a"]
        scheduler.request("b")
        await settled(job, 3)
        assert job.begun == ["a", "a", "b"]

    asyncio.run(scenario())


def test_after_a_run_the_next_request_is_the_first_again() -> None:
    async def scenario() -> None:
        job = Job()
        job.gate.set()
        scheduler = Scheduler(job)
        scheduler.request("a")
        await settled(job, 1)
        await asyncio.sleep(0)
        scheduler.request("a")
        await asyncio.sleep(0)
        assert job.begun == ["a", "a"]

    asyncio.run(scenario())


def test_a_run_that_fails_is_not_the_last(caplog: pytest.LogCaptureFixture) -> None:
    async def scenario() -> None:
        runs = []

        async def job(key: str) -> None:
            runs.append(key)
            raise RuntimeError("failed")

        scheduler = Scheduler(job)
        for count in (1, 2):
            scheduler.request("a")
            while len(caplog.records) < count:
                await asyncio.sleep(0)
            await asyncio.sleep(0)
        assert runs == ["a", "a"]

    asyncio.run(scenario())


def test_one_document_does_not_wait_for_another() -> None:
    async def scenario() -> None:
        job = Job()
        scheduler = Scheduler(job)
        scheduler.request("a")
        scheduler.request("b")
        await asyncio.sleep(0)
        assert job.begun == ["a", "b"]

    asyncio.run(scenario())

"""Programs made at random: `make nightly` makes more of them."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec

import pytest
from hypothesis import HealthCheck, settings

from tests.examples import examples

collect_ignore_glob = [] if find_spec("jax") else ["test_*.py"]


@pytest.fixture
def profile() -> Callable[[int], settings]:
    """The settings for a number of programs."""
    return lambda count: examples(count, suppress_health_check=list(HealthCheck))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Prints what the tests have counted; works across xdist's workers."""
    reports = [report for found in terminalreporter.stats.values() for report in found]
    counts = [
        (name, value)
        for report in reports
        if getattr(report, "when", "") == "call"
        for name, value in getattr(report, "user_properties", [])
        if name.startswith("programs")
    ]
    if counts:
        terminalreporter.section("programs made at random")
        for name, value in sorted(counts):
            terminalreporter.line(f"{name.removeprefix('programs: '):40} {value}")

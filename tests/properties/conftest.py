"""How many programs are made: a few hundred that never change, or thousands that always do.

`pytest tests/properties --hypothesis-profile=nightly` makes `NIGHTLY` times as many, each time others.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec

import pytest
from hypothesis import HealthCheck, settings

collect_ignore_glob = [] if find_spec("jax") else ["test_*.py"]

NIGHTLY = 20

_COMMON = settings(deadline=None, suppress_health_check=list(HealthCheck), print_blob=True)
settings.register_profile("programs", _COMMON, derandomize=True)
settings.register_profile("nightly", _COMMON, derandomize=False, max_examples=NIGHTLY * settings().max_examples)


@pytest.fixture
def profile(request: pytest.FixtureRequest) -> Callable[[int], settings]:
    """The settings for a number of programs, more of them under the nightly profile."""
    nightly = request.config.getoption("--hypothesis-profile") == "nightly"
    parent = settings.get_profile("nightly" if nightly else "programs")
    return lambda count: settings(parent, max_examples=count * (NIGHTLY if nightly else 1))


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

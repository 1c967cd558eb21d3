"""What all tests share: the nightly profile, and the closing count of how checker and fixes stand against JAX."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress

import pytest

with suppress(ImportError):  # the programs of tests/oracle need no hypothesis
    from hypothesis import settings

    settings.register_profile("nightly")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Prints, for each kind of comparison with the oracle, how many hold. Works across xdist's workers."""
    total: Counter[str] = Counter()
    held: Counter[str] = Counter()
    for outcome in ("passed", "failed"):
        for report in terminalreporter.stats.get(outcome, []):
            for name, kind in getattr(report, "user_properties", []):
                if name == "oracle" and report.when == "call":
                    total[kind] += 1
                    held[kind] += outcome == "passed"
    if total:
        terminalreporter.section("compared with JAX")
        for kind in sorted(total):
            terminalreporter.line(f"{kind:20} {held[kind]:4} of {total[kind]}")

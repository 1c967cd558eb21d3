"""Wherever the checker is definite about a program, JAX agrees."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given, note, settings

from pallas_lsp.check import check
from pallas_lsp.semantics.analysis import analyse
from pallas_lsp.semantics.jax_api import Outcome
from pallas_lsp.semantics.kernels import Verdict, verdict, ways_out
from pallas_lsp.semantics.project import Project
from tests.oracle.harness import RULES
from tests.properties.kernels import programs
from tests.properties.running import trace

pytestmark = pytest.mark.jax

REFUSED = re.compile(
    r"should return None"
    r"|object of type 'NoneType' has no len\(\)"  # a returned object that is no JAX type, as JAX 0.10 says it
    r"|is not a valid JAX type"
    r"|cond branch outputs must have the same pytree structure"
    r"|Cannot return `Ref`s from `cond`|mutable array references cannot be returned"
    r"|scan body function carry input and carry output must have the same pytree structure"
)
"""What JAX says of a returned value."""

LARGEST_SHARE_OF_UNKNOWN = 0.05


def stance(text: str) -> str:
    """What the checker knows of a program: `reported`, `silent` for certain, or `unknown`."""
    project = Project()
    if any(finding.code in RULES for finding in check(text, project=project).findings):
        return "reported"
    module = project.module("")
    assert module is not None
    analysis = analyse(module, project)
    launches = [launch for launch in analysis.launches if launch.outcome is not Outcome.USES and not launch.never_runs]
    # A helper that launches what it is given is also followed by itself, with a kernel that is not known.
    resolved = {launch.node for launch in launches if launch.runs and all(run.function for run in launch.runs)}
    wrong = (Outcome.RAISES, Outcome.RAISES_OTHERWISE)
    proved = all(
        verdict(way.returned.value) is Verdict.NONE
        for ways in ways_out(analysis).values()
        for way in ways
        if way.launch.outcome in wrong
    )
    return "silent" if launches and proved and {launch.node for launch in launches} == resolved else "unknown"


def test_verdicts(profile: Callable[[int], settings], record_property: Callable[[str, object], None]) -> None:
    seen: Counter[str] = Counter()

    @profile(400)
    @given(programs())
    def agree(text: str) -> None:
        error = trace(text)
        note(f"{text}\nJAX: {error}")
        assert not error or REFUSED.search(error), f"not a program to judge by: {error}"
        found = stance(text)
        seen[found] += 1
        assert found == "unknown" or (found == "reported") == bool(error)

    agree()
    made = sum(seen.values())
    share = seen["unknown"] / made
    record_property("programs: verdicts compared with JAX", f"{dict(seen)}, {share:.1%} unknown")
    assert share < LARGEST_SHARE_OF_UNKNOWN

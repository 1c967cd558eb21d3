"""JAX is the judge: every program does what its header says."""

from __future__ import annotations

import re

import pytest

from tests.oracle.harness import NONE_ERROR, Case, difference, execute, name_of, programs, skip_on_older_jax

pytestmark = pytest.mark.jax


@pytest.mark.parametrize("case", programs("cases"), ids=name_of)
def test_case_does_what_its_header_says(case: Case) -> None:
    skip_on_older_jax(case)
    outcome = execute(case.path)
    if case.expect == "ok":
        assert outcome.message == ""
        if case.reference == "both":
            assert difference(outcome.value, outcome.expected) == ""
        return
    assert outcome.exception is not None, "nothing was raised"
    assert re.search(case.exception, outcome.message, re.DOTALL), outcome.message
    if case.expect == "returns":
        assert isinstance(outcome.exception, ValueError)
        assert NONE_ERROR.search(outcome.message)
    elif "should return None" not in case.exception:
        assert not NONE_ERROR.search(outcome.message)


@pytest.mark.parametrize("case", programs("fixed"), ids=name_of)
def test_golden_rewrite_runs_and_agrees_with_the_reference(case: Case) -> None:
    skip_on_older_jax(case)
    outcome = execute(case.path)
    assert outcome.message == ""
    if case.reference != "none":
        assert difference(outcome.value, outcome.expected) == ""


def test_every_golden_rewrite_belongs_to_a_case() -> None:
    promised = {case.golden for case in programs("cases") if case.fix == "golden"}
    assert promised == {case.path for case in programs("fixed")}

"""Mistakes made in working programs: no rule reports what JAX runs, and each rule reports nearly all that are its own.

`bench/mistakes.py` is the table of them. Here a few programs for each, always the same ones; the nightly profile tries
many more, and `make mutants` prints what was found for each mistake.
"""

from __future__ import annotations

import math

import pytest

from bench.mistakes import MISTAKES, Mistake
from bench.recall import Judge, Sample, judged, working_programs
from pallas_lsp.rules.registry import RULES
from tests.examples import number_of

EACH = 2
ELSEWHERE = frozenset({"PAL002", "PAL601", "PAL901"})
"""Rules without a row: `bench/mutants.py` measures the first, a table the second, and the last is about comments."""


@pytest.fixture(scope="module")
def samples() -> list[Sample]:
    return working_programs()


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Judge:
    return Judge(tmp_path_factory.mktemp("mistakes"))


@pytest.mark.jax
@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: f"{mistake.code} {mistake.title}")
def test_the_rule_reports_the_mistake_and_nothing_else_is_wrong(
    mistake: Mistake, samples: list[Sample], judge: Judge
) -> None:
    row = judged(mistake, samples, judge, number_of(EACH))
    assert row.false_alarms == []
    assert row.made
    assert row.reported + row.otherwise >= math.floor(row.made * mistake.recall), row.misses


def test_every_rule_has_mistakes() -> None:
    assert {rule.code for rule in RULES} - ELSEWHERE == {mistake.code for mistake in MISTAKES}

"""JAX is the judge: kernels that return their results, stripped while their program runs, compute what is meant."""

from __future__ import annotations

import functools
import linecache
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, note

from pallas_lsp.runtime import StripError, strip_return
from tests.examples import examples
from tests.oracle.harness import Case, difference, execute, name_of, programs, skip_on_older_jax

pytestmark = pytest.mark.jax


GOLDEN: Counter[str] = Counter()
"""What became of the programs with a rewrite that is known to be right."""


def stripping(entry: Callable[..., Any]) -> Callable[..., Any]:
    """A `pallas_call` that strips the kernel first."""

    @functools.wraps(entry)
    def launch(kernel: Callable[..., Any], *arguments: Any, **keywords: Any) -> Any:
        return entry(strip_return(kernel), *arguments, **keywords)

    return launch


def calls_pallas_call(case: Case) -> bool:
    """Whether a program launches with `pl.pallas_call`, and does not expect it to raise."""
    program = case.text.partition("\n")[2]
    return "pl.pallas_call" in program and "except" not in program


@pytest.mark.parametrize("case", [one for one in programs("cases") if calls_pallas_call(one)], ids=name_of)
def test_a_program_with_stripped_kernels_computes_its_reference(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    from jax.experimental import pallas as pl

    skip_on_older_jax(case)
    monkeypatch.setattr(pl, "pallas_call", stripping(pl.pallas_call))
    outcome = execute(case.path)
    refused = isinstance(outcome.exception, StripError)
    if case.fix == "golden":
        GOLDEN["refused" if refused else "stripped"] += 1
    if refused:
        return
    if case.expect == "ok":
        assert outcome.message == ""
    elif case.expect == "returns" and case.reference != "none":
        assert outcome.message == ""
        assert difference(outcome.value, outcome.expected) == ""


def test_most_programs_that_a_person_can_mend_are_stripped() -> None:
    """The others convert or spread the value, lack a parameter for the output, or were wrapped by JAX."""
    if sum(GOLDEN.values()) < 50:
        pytest.skip("the programs were not tried in this process")
    assert GOLDEN["refused"] * 4 < GOLDEN["stripped"]


def test_programs_made_at_random() -> None:
    from jax.experimental import pallas as pl

    from tests.properties.returning import Program
    from tests.properties.returning import programs as returning
    from tests.properties.running import run
    from tests.properties.test_fixes_against_jax import difference as differs
    from tests.properties.test_fixes_against_jax import pure_result

    seen: Counter[bool] = Counter()

    @examples(40)
    @given(returning())
    def hold(program: Program) -> None:
        note(program.text)
        rows = program.text.splitlines(keepends=True)
        linecache.cache["program.py"] = (len(program.text), None, rows, "program.py")
        try:
            result = run(program.text, stripping(pl.pallas_call))
        finally:
            linecache.cache.pop("program.py", None)
        refused = isinstance(result, str) and result.startswith("StripError")
        seen[refused] += 1
        if not refused:
            assert differs(result, pure_result(program)) == ""

    hold()
    assert seen[False] > seen[True]

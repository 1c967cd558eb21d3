"""What the tool's own fixes make of a case: nothing is left to report, JAX runs it, and the arrays are right."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from pallas_lsp.config import DEFAULT
from pallas_lsp.fixing import fix_all
from tests.oracle.harness import Case, difference, execute, name_of, programs, read_case, skip_on_older_jax
from tests.oracle.test_checker import findings

pytestmark = pytest.mark.jax

# A case that JAX accepts may assert what its mistake does (the output is NaN); once fixed, that has to stop being true.
ASSERTION = re.compile(r"^ +assert .*\n", re.MULTILINE)


@pytest.mark.parametrize("case", [case for case in programs("cases") if case.fix == "golden"], ids=name_of)
def test_own_fix_does_what_the_golden_rewrite_does(
    case: Case, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    record_property("oracle", "fix golden")
    fixed = fix_all(case.text, DEFAULT, path=str(case.path), project=None, unsafe=True).text
    assert findings(fixed, str(case.path)) == [], fixed
    skip_on_older_jax(case, read_case(case.golden))
    copy = tmp_path / case.path.name
    copy.write_bytes(ASSERTION.sub("", fixed).encode("utf-8"))
    outcome = execute(copy)
    assert outcome.message == "", fixed
    golden = execute(case.golden)
    # Its own `reference()` first: that is made of the same classes as its outputs.
    expected = next(value for value in (outcome.expected, golden.expected, golden.value) if value is not None)
    assert difference(outcome.value, expected) == "", fixed

"""A fixed program computes what its kernel returned, and is the same program otherwise."""

from __future__ import annotations

import ast
import io
import tokenize
from collections import Counter
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, note, settings

from pallas_lsp.check import check
from pallas_lsp.findings import Applicability
from pallas_lsp.fixing import fix_all, merged, preferred
from pallas_lsp.text import SourceText
from tests.properties.returning import Program, programs
from tests.properties.running import evaluate, run

pytestmark = pytest.mark.jax

DISAPPEARS = {"return", "dict"}
"""Words that a store has no use for."""


def test_fixes(profile: Callable[[int], settings], record_property: Callable[[str, object], None]) -> None:
    seen: Counter[str] = Counter()

    @profile(120)
    @given(programs())
    def hold(program: Program) -> None:
        note(program.text)
        fixed = fix_all(program.text).text
        left = check(fixed).findings
        kind = "safe"
        if left:
            assert not any(fix.applicability is Applicability.SAFE for finding in left for fix in finding.fixes())
            fixed = fix_all(program.text, unsafe=True).text
            kind = "refused" if check(fixed).findings else "unsafe"
        note(fixed)
        seen[kind] += 1
        assert fix_all(fixed, unsafe=True).text == fixed
        assert one_after_another(program.text, unsafe=kind != "safe", first=0) == fixed
        assert one_after_another(program.text, unsafe=kind != "safe", first=-1) == fixed
        assert is_same_elsewhere(program, fixed)
        if kind != "refused":
            assert difference(run(fixed), pure_result(program)) == ""

    hold()
    record_property("programs: fixed and compared with JAX", dict(seen))
    assert seen["safe"] > 5 * (seen["unsafe"] + seen["refused"])


def one_after_another(text: str, *, unsafe: bool, first: int) -> str:
    """The text after fixing one finding at a time, from the top (`first` 0) or from the bottom (-1)."""
    while True:
        fixes = [fix for finding in check(text).findings if (fix := preferred(finding, unsafe)) is not None]
        if not fixes:
            return text
        text = SourceText(text).replaced(merged([fixes[first]]))


def is_same_elsewhere(program: Program, fixed: str) -> bool:
    """Whether the fixed text parses and has all words, strings, numbers, comments and line ends of the first."""
    ast.parse(fixed)
    before, after = words(program.text), iter(words(fixed))
    kept = all(any(word == other for other in after) for word in before) if program.plain else True
    ends = fixed.count("\r\n") == fixed.count("\n") if "\r\n" in program.text else "\r" not in fixed
    comments = [word for word in words(program.text) if word.startswith("#")]
    return kept and ends and [word for word in words(fixed) if word.startswith("#")] == comments


def words(text: str) -> list[str]:
    """The tokens of a text that are no punctuation, `return` left out."""
    kinds = {tokenize.NAME, tokenize.NUMBER, tokenize.STRING, tokenize.COMMENT}
    tokens = tokenize.generate_tokens(io.StringIO(text.replace("\r\n", "\n")).readline)
    return [token.string for token in tokens if token.type in kinds and token.string not in DISAPPEARS]


def pure_result(program: Program) -> Any:
    """What the kernel gives when it is called as the function that it was written as."""
    return evaluate(program.text, f"({program.pure})({', '.join(program.arguments)})")


def difference(result: Any, expected: Any) -> str:
    """How a result differs from what was returned, as far as the output's shape and dtype can hold it."""
    if isinstance(result, str) or isinstance(expected, str):
        return f"{result} instead of {expected}"
    results, values = jax.tree.leaves(result), jax.tree.leaves(expected)
    if len(results) != len(values):
        return f"{len(results)} results instead of {len(values)}"
    for got, value in zip(results, values, strict=True):
        want = np.asarray(jnp.broadcast_to(value, got.shape).astype(got.dtype))
        if not np.allclose(got.astype(np.float64), want.astype(np.float64), rtol=1e-2, atol=1e-5, equal_nan=True):
            return f"{got} instead of {want}"
    return ""

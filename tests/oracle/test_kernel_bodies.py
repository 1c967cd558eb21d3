"""Mistakes in launches and kernel bodies: JAX says so, the rule reports them, and its fix mends them.

`bodies/NAME.txt` holds the programs of the rule of that name. Each starts with a line `=== title`, then what is
expected, then the program, which comes behind `PRELUDE` and gives `y`; without one of its own, that is the result of
launching `k` with `x`:

  raises: ...     part of what JAX says. The rule reports the program.
  unwritten       JAX says nothing, and some of `y` is NaN. The rule reports the program.
  silently        JAX says nothing, and the rule reports the program.
  works           JAX runs it, and no rule reports anything.
  unknown         JAX says something, and no rule reports anything: it cannot be sure.
  fixed: ...      an expression in numpy, of `x` and `np`, for what `y` is once it was fixed; a fix is made in any case.
  no fix          there is no fix.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pallas_lsp.check import check
from pallas_lsp.config import Settings
from pallas_lsp.fixing import fix_all
from pallas_lsp.rules.registry import RULES
from tests.oracle.harness import Outcome, execute

PRELUDE = """\
import functools
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

x = jnp.arange(1.0, 9.0)
OUT = jax.ShapeDtypeStruct((8,), jnp.float32)

"""
LAUNCH = "\ny = pl.pallas_call(k, out_shape=OUT, interpret=True)(x)\n"
RUN = "\ndef run():\n    return y\n"
CODES = {rule.name.replace("-", "_"): rule.code for rule in RULES}


@dataclass(frozen=True)
class Body:
    """A program.

    Args:
      rule: the code of the rule that it is for.
      title: what it shows.
      expected: its headings, such as `raises`, with what stands behind them.
      code: between the prelude and `run`.
    """

    rule: str
    title: str
    expected: dict[str, str]
    code: str

    @property
    def text(self) -> str:
        return PRELUDE + self.code + ("" if "\ny = " in self.code else LAUNCH) + RUN

    @property
    def reported(self) -> bool:
        return not {"works", "unknown"} & self.expected.keys()


HEADINGS = ("raises", "unwritten", "silently", "works", "unknown", "fixed", "no fix")


def bodies() -> list[Body]:
    found = []
    for path in sorted((Path(__file__).parent / "bodies").glob("*.txt")):
        for part in path.read_text(encoding="utf-8").split("=== ")[1:]:
            title, *lines = part.splitlines()
            expected = {}
            while lines and lines[0].partition(":")[0] in HEADINGS:
                heading, _, rest = lines.pop(0).partition(":")
                expected[heading] = rest.strip()
            found.append(Body(CODES[path.stem], title, expected, "\n".join(lines)))
    return found


def name_of(body: Body) -> str:
    return f"{body.rule}-{body.title}"


def settings_for(body: Body) -> Settings:
    """All rules that are on by default, and the one in question."""
    return Settings(extend_select=(body.rule,))


def codes(body: Body, text: str) -> set[str]:
    return {finding.code for finding in check(text, settings_for(body)).findings}


def outcome_of(folder: Path, text: str) -> Outcome:
    program = folder / "program.py"
    program.write_text(text, encoding="utf-8")
    return execute(program)


def has_nan(value: Any) -> bool:
    import jax
    import numpy

    return any(numpy.isnan(numpy.asarray(leaf, dtype=numpy.float64)).any() for leaf in jax.tree.leaves(value))


ALL = bodies()


@pytest.mark.parametrize("body", ALL, ids=name_of)
def test_rule_reports_the_mistakes_only(body: Body) -> None:
    assert codes(body, body.text) == ({body.rule} if body.reported else set())


@pytest.mark.jax
@pytest.mark.parametrize("body", ALL, ids=name_of)
def test_jax_agrees(body: Body, tmp_path: Path) -> None:
    outcome = outcome_of(tmp_path, body.text)
    if "raises" in body.expected:
        assert body.expected["raises"] in outcome.message and outcome.message
    elif "unknown" in body.expected:
        assert outcome.message or has_nan(outcome.value)
    else:
        assert outcome.message == ""
        assert has_nan(outcome.value) is ("unwritten" in body.expected)


@pytest.mark.jax
@pytest.mark.parametrize("body", [body for body in ALL if body.reported], ids=name_of)
def test_fix_works_under_jax(body: Body, tmp_path: Path) -> None:
    import jax
    import numpy

    fixed = fix_all(body.text, settings_for(body), unsafe=True).text
    if "no fix" in body.expected:
        assert fixed == body.text
        return
    assert fixed != body.text
    assert codes(body, fixed) == set(), fixed
    outcome = outcome_of(tmp_path, fixed)
    assert outcome.message == "", fixed
    x = numpy.arange(1.0, 9.0)
    expected = eval(body.expected["fixed"], {"np": numpy, "x": x})
    for got, want in zip(jax.tree.leaves(outcome.value), jax.tree.leaves(expected), strict=True):
        numpy.testing.assert_allclose(numpy.asarray(got), want, rtol=1e-5)


def test_every_rule_about_launches_and_kernel_bodies_has_programs() -> None:
    assert {body.rule for body in ALL} == {
        code for code in CODES.values() if code[:4] in ("PAL1", "PAL2", "PAL3", "PAL4", "PAL5")
    }

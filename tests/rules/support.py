"""Kernels as text: what is expected stands in a comment at the end of the line that it is expected on."""

from __future__ import annotations

import re

from pallas_lsp.check import check
from pallas_lsp.config import DEFAULT, Settings
from pallas_lsp.findings import Applicability, Finding, Fix
from pallas_lsp.text import SourceText

PRELUDE = """\
import functools
import jax
import jax.numpy as jnp
from jax import lax
from jax.experimental import pallas as pl
from jax.experimental.pallas import mosaic_gpu as plgpu
from jax.experimental.pallas import tpu as pltpu
x = jnp.arange(8.0)
OUT = jax.ShapeDtypeStruct((8,), jnp.float32)
"""
"""The imports of every program here, an input, and the output that fits it."""

LAUNCH = "pl.pallas_call(k, out_shape=OUT)(x)\n"
"""The launch of a kernel `k` with one input and one output."""

EXPECTATION = re.compile(r"  # (PAL\d+)(?:: (.*))?$")


def findings(text: str, settings: Settings = DEFAULT) -> tuple[Finding, ...]:
    """What the checker says about a text behind the prelude; lines count from the prelude's first."""
    return check(PRELUDE + text, settings).findings


def finding(text: str, settings: Settings = DEFAULT) -> Finding:
    """The only finding."""
    (only,) = findings(text, settings)
    return only


def disagreements(text: str) -> list[str]:
    """Where the rules about returned values and the comments `# PAL001: part of the message` differ.

    Lines of `text` are 1-based.
    """
    expected = {}
    for number, line in enumerate(text.splitlines(), 1):
        found = EXPECTATION.search(line)
        if found is not None:
            expected[number] = (found[1], found[2] or "")
    wrong = []
    offset = PRELUDE.count("\n") - 1
    for one in findings(text, Settings(select=("PAL0",))):
        number = one.range.start.line - offset
        code, part = expected.pop(number, ("", ""))
        if one.code != code or part not in one.message:
            wrong.append(f"line {number}: {one.code} {one.message}")
    return wrong + [f"line {number}: no {code}" for number, (code, _) in expected.items()]


def underlined(text: str) -> list[str]:
    """The text in the range of each finding, cut out by lines and characters as an editor would."""
    source = SourceText(PRELUDE + text)
    return [source.slice(one.range) for one in findings(text)]


def fixes(text: str) -> list[Fix]:
    """The fixes of the only finding of the rules about returned values, preferred first."""
    return list(finding(text, Settings(select=("PAL0",))).fixes())


def applied(text: str, fix: Fix) -> str:
    """The text after a fix, without the prelude."""
    assert fix.applicability is not Applicability.NONE, fix.reason
    result = SourceText(PRELUDE + text).replaced(fix.edits)
    assert result.startswith(PRELUDE)
    return result.removeprefix(PRELUDE)

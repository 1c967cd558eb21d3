"""A mistake in one rule costs what that rule would find, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from pallas_lsp.check import check
from pallas_lsp.findings import Finding
from pallas_lsp.rules.returning_kernel import ReturningKernel

TEXT = """\
import jax
from jax.experimental import pallas as pl

def kernel(x_ref, o_ref):
    return x_ref + 1

def run(x):
    return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype))(x)
"""


def test_what_the_other_rules_find_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    before = [finding.code for finding in check(TEXT).findings]
    assert {"PAL001", "PAL301"} <= set(before)

    def crash(self: ReturningKernel, *_: Any) -> Iterable[Finding]:
        yield from ()
        raise ZeroDivisionError("a mistake")

    monkeypatch.setattr(ReturningKernel, "check", crash)
    report = check(TEXT)
    assert [finding.code for finding in report.findings] == [code for code in before if code != "PAL001"]
    (crashed,) = report.crashes
    assert (crashed.code, crashed.name, str(crashed.error)) == ("PAL001", "returning-kernel", "a mistake")

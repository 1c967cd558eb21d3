"""`pallas-lsp explain`: reads a traceback, answers with the finding."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

KERNEL = """\
from jax.experimental import pallas as pl


def k(x_ref, o_ref):
    return x_ref[...]


def run(x):
    return pl.pallas_call(k, out_shape=x)(x)
"""
TRACEBACK = """\
some output before
Traceback (most recent call last):
  File "kernel.py", line 9, in run
    return pl.pallas_call(k, out_shape=x)(x)
ValueError: The kernel function in the pallas_call k at kernel.py:4 should return None. \
It returns a PyTree: PyTreeDef(*)
"""
EXPLAINED = """\
kernel.py:5:5: PAL001 returning-kernel
The kernel function in the pallas_call k should return None. It returns a PyTree: PyTreeDef(*). \
Store the result in `o_ref[...]`.
kernel.py:9:12: `k` is given to `pallas_call` here.

Fix: Store the result in `o_ref`.
--- kernel.py
+++ kernel.py
@@ -2,7 +2,7 @@
{blank}
{blank}
 def k(x_ref, o_ref):
-    return x_ref[...]
+    o_ref[...] = x_ref[...]
{blank}
{blank}
 def run(x):
""".replace("{blank}", " ")


@pytest.fixture(autouse=True)
def kernel(project: Path) -> None:
    """The program that has failed."""
    (project / "kernel.py").write_text(KERNEL, encoding="utf-8")


def test_from_standard_input(cli: Any) -> None:
    for arguments in ((), ("-",)):
        outcome = cli("explain", *arguments, stdin=TRACEBACK.encode())
        assert (outcome.code, outcome.out, outcome.err) == (0, EXPLAINED, "")


def test_from_a_file(cli: Any, make: Callable[..., Path]) -> None:
    make("log.txt", TRACEBACK)
    assert cli("explain", "log.txt").out == EXPLAINED


def test_an_error_that_no_rule_knows(cli: Any) -> None:
    outcome = cli("explain", stdin=b'Traceback (most recent call last):\n  File "k.py", line 1\nKeyError: 3\nmore\n')
    assert (outcome.code, outcome.out) == (1, "No rule knows this error: KeyError: 3\n")


def test_what_holds_no_traceback(cli: Any) -> None:
    outcome = cli("explain", stdin=b"all is well\xff\n")
    assert (outcome.code, outcome.out) == (2, "")
    assert "there is no traceback in it" in outcome.err


def test_a_file_that_is_not_there(cli: Any) -> None:
    outcome = cli("explain", "missing.txt")
    assert outcome.code == 2
    assert "missing.txt" in outcome.err

"""JAX is the judge: what is said of the kernels of the oracle's programs while they run, and what JAX says of them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pytest

from pallas_lsp.runtime import kernel_returns_none
from tests.oracle.harness import NONE_ERROR, Case, execute, name_of, programs, skip_on_older_jax
from tests.runtime.test_stripping_under_jax import calls_pallas_call

pytestmark = pytest.mark.jax


@pytest.mark.parametrize("case", [one for one in programs("cases") if calls_pallas_call(one)], ids=name_of)
def test_jax_agrees(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    from jax.experimental import pallas as pl

    skip_on_older_jax(case)
    verdicts: list[bool | None] = []

    def asking(entry: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(entry)
        def launch(kernel: Callable[..., Any], *arguments: Any, **keywords: Any) -> Any:
            launched = entry(kernel, *arguments, **keywords)

            def run(*arrays: Any) -> Any:
                verdicts.append(kernel_returns_none(kernel))
                return launched(*arrays)

            return run

        return launch

    monkeypatch.setattr(pl, "pallas_call", asking(pl.pallas_call))
    outcome = execute(case.path)
    if NONE_ERROR.search(outcome.message):
        assert verdicts == [] or not all(verdicts)
    elif outcome.exception is None:
        assert False not in verdicts

"""What an older release lacks is found by its name, and nothing else is taken for missing."""

from __future__ import annotations

import pytest

from tests.oracle.harness import programs
from tests.oracle.releases import missing_name

pytestmark = pytest.mark.jax

IMPORTS = "import functools\nimport jax\nimport jax.numpy as jnp\nfrom jax.experimental import pallas as pl\n"


@pytest.mark.parametrize(
    ("lacking", "program"),
    [
        ("", "x = jnp.exp(jax.ShapeDtypeStruct((8,), jnp.float32).shape)\n"),
        ("", "y = pl.pallas_call(k, out_shape=x, interpret=True)(x)\n"),
        ("", "y = jnp.float32.dtype if False else other.module.name\n"),
        ("jax.experimental.pallas.no_such_function", "pl.no_such_function(3)\n"),
        ("jax.numpy.no_such_function", "def f(x):\n    return jnp.no_such_function(x)\n"),
        ("jax.experimental.no_such_module", "from jax.experimental import no_such_module\n"),
        ("jax.experimental.pallas.pallas_call(new=...)", "y = pl.pallas_call(k, out_shape=x, new=1)\n"),
        ("jax.experimental.pallas.pallas_call(new=...)", "y = functools.partial(pl.pallas_call, new=1)\n"),
    ],
)
def test_missing_name(lacking: str, program: str) -> None:
    assert missing_name(IMPORTS + program) == lacking


def test_the_newest_release_lacks_nothing_that_working_programs_use() -> None:
    import jax

    if jax.__version_info__ < (0, 10, 2):
        pytest.skip("an older release")
    working = [case for case in programs("cases") if case.expect == "ok" and case.since <= jax.__version_info__]
    assert {case.path.stem: missing_name(case.text) for case in working if missing_name(case.text)} == {}

"""PAL003: a body that must not return a value does."""

from __future__ import annotations

import textwrap

import pytest

from tests.rules.support import LAUNCH, disagreements, finding

BODIES = {
    "under a traced condition": """
        @pl.when(x_ref[0] > 0)
        def _():
            return x_ref[...]  # PAL003: `when` returns a value where JAX expects None: cond branch outputs must
    """,
    "under a condition of NumPy": """
        @pl.when(np.any([True]))
        def _():
            return x_ref[...]  # PAL003
    """,
    "under a number": """
        @pl.when(1)
        def _():
            return x_ref[...]  # PAL003
    """,
    "under a Python bool it is dropped": """
        @pl.when(True)
        def _():
            return x_ref[...]
    """,
    "under a condition that is not known": """
        @pl.when(FLAG)
        def _():
            return x_ref[...]
    """,
    "under a comparison of Python numbers": """
        @pl.when(SIZE == 3)
        def _():
            return x_ref[...]
    """,
    "under a program id": """
        @pl.when(pl.program_id(0) == 0)
        def _():
            return x_ref[...]  # PAL003
    """,
    "not even without leaves": """
        @pl.when(x_ref[0] > 0)
        def _():
            return ()  # PAL003
    """,
    "a lambda": """
        pl.when(x_ref[0] > 0)(lambda: x_ref[...])  # PAL003
    """,
    "None": """
        @pl.when(x_ref[0] > 0)
        def _():
            o_ref[...] = x_ref[...]
            return None
    """,
    "a lambda that stores": """
        pl.when(x_ref[0] > 0)(lambda: o_ref.set(x_ref[...]))
    """,
    "what is not known": """
        @pl.when(x_ref[0] > 0)
        def _():
            return elsewhere.store(o_ref)
    """,
    "a loop": """
        @pl.loop(0, 8)
        def _(i):
            return x_ref[i]  # PAL003: `loop` returns a value where JAX expects None: scan body function carry input
    """,
    "a loop with a carry": """
        @pl.loop(0, 8, init_carry=0.0)
        def _(i, total):
            return total + x_ref[i]
    """,
    "a loop whose arguments are not all in view": """
        @pl.loop(0, 8, **elsewhere.OPTIONS)
        def _(i):
            return x_ref[i]
    """,
    "run_state": """
        def body(ref):
            return ref[...]  # PAL003: `run_state` returns a value
        pl.run_state(body)(jnp.zeros(8))
    """,
    "run_state without leaves": """
        def body(ref):
            return ()
        pl.run_state(body)(jnp.zeros(8))
    """,
    "the carry of JAX's own loops": """
        lax.fori_loop(0, 8, lambda i, c: c + 1, 0)
        lax.scan(lambda c, i: (c, None), 0, jnp.arange(8))
        pl.run_scoped(lambda s: s[...], pltpu.VMEM((8,), jnp.float32))
    """,
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_findings_stand_on_their_lines(body: str) -> None:
    inside = textwrap.indent(textwrap.dedent(body).strip("\n"), "    ")
    text = "import numpy as np\nimport elsewhere\nfrom elsewhere import FLAG\nSIZE = int(input())\n"
    assert disagreements(f"{text}def k(x_ref, o_ref):\n{inside}\n{LAUNCH}") == []


def test_it_has_no_fix() -> None:
    text = "def k(x_ref, o_ref):\n    @pl.when(x_ref[0] > 0)\n    def _():\n        return x_ref[...]\n" + LAUNCH
    assert finding(text).fixes() == ()
    assert "Store the value into a Ref instead." in finding(text).message

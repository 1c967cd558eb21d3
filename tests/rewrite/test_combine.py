"""Several rewrites as one: a pure function becomes a kernel."""

from __future__ import annotations

from itertools import permutations

from pallas_lsp.findings import Edit, Position, Range
from pallas_lsp.rewrite import (
    Refusal,
    Target,
    add_parameters,
    combine,
    drop,
    none_annotation,
    read_refs,
    store,
    store_lambda,
)
from tests.rewrite.support import applied, function_in, reason, returns_of

CAST = Target("o[...]", after=".astype(o.dtype)")


def test_a_pure_function_becomes_a_kernel_in_any_order() -> None:
    text = "def f(x, y) -> jax.Array:\n    if y.shape: return x  # c\n    return x + y\n"
    function = function_in(text)
    first, second = returns_of(function)
    rewrites = [
        add_parameters(function, ["o"]),
        none_annotation(function),
        read_refs(function, ["x", "y"], attributes={"shape"}),
        store(function, first, CAST),
        store(function, second, CAST),
    ]
    expected = (
        "def f(x, y, o) -> None:\n    if y.shape:\n        o[...] = x[...].astype(o.dtype)  # c\n        return\n"
        "    o[...] = (x[...] + y[...]).astype(o.dtype)\n"
    )
    assert {applied(text, combine(*order)) for order in permutations(rewrites)} == {expected}


def test_a_lambda_becomes_a_kernel_in_any_order() -> None:
    text = "call(lambda x: x)\n"
    function = function_in(text)
    rewrites = [
        add_parameters(function, ["o"]),
        read_refs(function, ["x"]),
        store_lambda(function, "o", after=".astype(o.dtype)"),
    ]
    expected = "call(lambda x, o: o.__setitem__(..., x[...].astype(o.dtype)))\n"
    assert {applied(text, combine(*order)) for order in permutations(rewrites)} == {expected}


def test_edits_that_touch_are_one() -> None:
    def insert(text: str) -> tuple[Edit, ...]:
        return (Edit(Range(Position(0, 1), Position(0, 1)), text),)

    replace = (Edit(Range(Position(0, 1), Position(0, 2)), "c"),)
    joined = (Edit(Range(Position(0, 1), Position(0, 2)), "abc"),)
    assert combine(insert("a"), insert("b"), replace) == combine(replace, insert("a"), insert("b")) == joined


def test_refusals() -> None:
    function = function_in("def f(x):\n    g()\n    return g(x)\n")
    (node,) = returns_of(function)
    conflict = combine(drop(function, node, keep_value=False), read_refs(function, ["x"]))
    assert reason(conflict) == "Two changes of the same text are needed."
    assert combine((), Refusal("A."), Refusal("B.")) == Refusal("A.")
    assert combine() == ()

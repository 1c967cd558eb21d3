"""The comment that gives inputs."""

from __future__ import annotations

import re

import pytest

from pallas_lsp.verify.examples import Array, Example, ExampleError, Literal, example_in


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("# pallas: example(f32[8,128])", Example((Array("float32", (8, 128)),))),
        ("    #pallas:example( bf16[ 8 , ] ,3 )", Example((Array("bfloat16", (8,)), Literal("3")))),
        ("# pallas: example(f32[], scale=0.5)", Example((Array("float32", ()),), (("scale", Literal("0.5")),))),
        ("# pallas: example((1, 'a,b'), n=[1])", Example((Literal("(1, 'a,b')"),), (("n", Literal("[1]")),))),
        ("# pallas: example()", Example()),
        ("# pallas: ignore", None),
        ("x = 1  # pallas: example(f32[8])", None),
    ],
)
def test_what_it_gives(line: str, expected: Example | None) -> None:
    assert example_in(line) == expected


@pytest.mark.parametrize(
    ("items", "reason"),
    [
        ("float[8]", "`float` is no dtype"),
        ("x", "`x` is neither an array"),
        ("f32[n]", "`f32[n]` is neither an array"),
        ("f32[8 128]", "`f32[8 128]` is neither an array"),
        ("a=1, 2", "`2` stands behind inputs with names"),
        ("print('x')", "is neither an array"),
    ],
)
def test_what_it_cannot_give(items: str, reason: str) -> None:
    with pytest.raises(ExampleError, match=re.escape(reason)):
        example_in(f"# pallas: example({items})")


@pytest.mark.parametrize("inputs", ["(f32[8]", "(f32[8])  # small", "", " f32[8]", ": f32[8]"])
def test_what_is_no_list_of_inputs(inputs: str) -> None:
    with pytest.raises(ExampleError, match="followed by inputs in parentheses and nothing else"):
        example_in(f"# pallas: example{inputs}")

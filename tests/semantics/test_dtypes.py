"""The dtype of arithmetic: what JAX makes of it, or unknown."""

from __future__ import annotations

import ast
import itertools

import pytest

from pallas_lsp.semantics.arithmetic import binary
from pallas_lsp.semantics.values import Array, Constant, Value

DTYPES = ("bool", "int8", "int32", "uint8", "float32", "bfloat16", "complex64")
NUMBERS = (True, 2, 1.5, 1j)
OPERATORS = {
    "+": ast.Add(),
    "-": ast.Sub(),
    "*": ast.Mult(),
    "/": ast.Div(),
    "//": ast.FloorDiv(),
    "%": ast.Mod(),
    "**": ast.Pow(),
    "&": ast.BitAnd(),
    "|": ast.BitOr(),
    "^": ast.BitXor(),
}


@pytest.mark.jax
@pytest.mark.parametrize("sign", OPERATORS)
def test_a_dtype_that_is_known_is_that_of_jax(sign: str) -> None:
    import jax.numpy as jnp

    arrays = {dtype: jnp.ones((4,), dtype) for dtype in DTYPES}
    operands: list[tuple[Value, object]] = [(Array((4,), dtype), arrays[dtype]) for dtype in DTYPES]
    operands += [(Constant(number), number) for number in NUMBERS]
    wrong = []
    for (left, one), (right, other) in itertools.product(operands, repeat=2):
        found = binary(OPERATORS[sign], left, right, ast.Name("x"))
        are_numbers = isinstance(left, Constant) and isinstance(right, Constant)
        if are_numbers or not isinstance(found, Array) or not found.dtype:
            continue
        try:
            expected = str(eval(f"one {sign} other", {"one": one, "other": other}).dtype)
        except TypeError:
            continue  # JAX refuses the operator
        if found.dtype != expected:
            wrong.append((left, sign, right, found.dtype, expected))
    assert wrong == []

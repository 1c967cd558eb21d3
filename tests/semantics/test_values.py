"""What operators give and how trees are printed, compared with JAX."""

from __future__ import annotations

import ast
import collections
import operator
from itertools import product
from typing import Any

import pytest

from pallas_lsp.semantics import arithmetic
from pallas_lsp.semantics.values import (
    NONE,
    Array,
    Constant,
    Mapping,
    NamedTuple,
    NamedTupleClass,
    Sequence,
    Value,
    pytree,
)

DTYPES = ("bool", "int8", "int32", "uint8", "uint32", "float16", "bfloat16", "float32", "complex64")
NODE = ast.Constant(0)


@pytest.mark.jax
@pytest.mark.parametrize("operation", [ast.USub, ast.UAdd, ast.Invert], ids=lambda kind: kind.__name__)
def test_dtypes_of_unary_operators_are_those_of_jax(operation: type[ast.unaryop]) -> None:
    import jax.numpy as jnp

    functions = {ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert}
    for dtype in DTYPES:
        value = arithmetic.unary(operation(), Array((2,), dtype), NODE)
        try:
            real = functions[operation](jnp.ones((2,), dtype))
        except TypeError:
            continue
        assert isinstance(value, Array)
        assert value.dtype in ("", real.dtype.name)


SHAPES = [(), (1,), (3,), (4,), (1, 3), (4, 1), (4, 3), (2, 1, 3)]


@pytest.mark.jax
def test_shapes_are_broadcast_as_in_numpy() -> None:
    import numpy as np

    for one, other in product(SHAPES, SHAPES):
        try:
            expected = np.broadcast_shapes(one, other)
        except ValueError:
            expected = None
        assert arithmetic.broadcast(one, other) == expected


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        (None, (3,), None),
        ((None,), (3,), (3,)),
        ((None,), (1,), (None,)),
        ((None,), (None,), (None,)),
        ((None, 3), (4, 1), (4, 3)),
        ((), (None,), (None,)),
    ],
)
def test_shapes_of_which_not_all_is_known(one: Any, other: Any, both: Any) -> None:
    assert arithmetic.broadcast(one, other) == both
    assert arithmetic.broadcast(other, one) == both


ARRAY = Array((2,), "float32")
Pair = collections.namedtuple("Pair", "a b")
PAIR = NamedTupleClass("Pair", ("a", "b"))
TREES: list[tuple[Value, Any]] = [
    (ARRAY, 1.0),
    (NONE, None),
    (Constant(2.5), 2.5),
    (Sequence(()), ()),
    (Sequence((), is_list=True), []),
    (Mapping(()), {}),
    (Sequence((ARRAY,)), (1,)),
    (Sequence((ARRAY,), is_list=True), [1]),
    (Sequence((ARRAY, NONE)), (1, None)),
    (Sequence((Sequence((ARRAY,), is_list=True), Mapping((("a", NONE),)))), ([1], {"a": None})),
    (Mapping((("b", ARRAY), ("a", ARRAY))), {"b": 1, "a": 2}),
    (Mapping(((2, ARRAY), (1, NONE))), {2: 1, 1: None}),
    (Mapping((("it's", ARRAY),)), {"it's": 1}),
    (Mapping(((("x", 1), ARRAY),)), {("x", 1): 1}),
    (NamedTuple(PAIR, (ARRAY, NONE)), Pair(1, None)),
    (Sequence((NamedTuple(PAIR, (Sequence((ARRAY,)), ARRAY)),), is_list=True), [Pair((1,), 2)]),
]


@pytest.mark.jax
@pytest.mark.parametrize(("value", "real"), TREES, ids=[repr(real) for _, real in TREES])
def test_trees_are_printed_as_jax_prints_them(value: Value, real: Any) -> None:
    import jax

    assert f"PyTreeDef({pytree(value)})" == str(jax.tree.structure(real))

"""Calls that give a literal for literals: `math.prod(x_ref.shape)`, `mode.startswith("add")`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from pallas_lsp.semantics import members
from pallas_lsp.semantics.arguments import Arguments
from pallas_lsp.semantics.jax_api import PALLAS
from pallas_lsp.semantics.values import Constant, Iterator, NamedTuple, Sequence, Value

MAX_BITS = 64
"""Larger integers are not folded."""

MAX_LENGTH = 256
"""Longer strings are not folded."""

STRING_METHODS = frozenset(
    {"startswith", "endswith", "lower", "upper", "strip", "lstrip", "rstrip", "isdigit", "removeprefix", "removesuffix"}
)
"""Methods of strings that are folded."""

_FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{f"builtins.{function.__name__}": function for function in (abs, all, any, bool, float, int, round, sum)},
    **{
        f"math.{function.__name__}": function
        for function in (math.ceil, math.floor, math.gcd, math.isqrt, math.log2, math.prod, math.sqrt)
    },
    "numpy.prod": math.prod,
    f"{PALLAS}.cdiv": lambda dividend, divisor: -(-dividend // divisor),
    **{f"str.{name}": getattr(str, name) for name in STRING_METHODS},
}


def fold(name: str, arguments: Arguments) -> Value | None:
    """What a call of an external function gives; None unless that and all its arguments are literals."""
    function = _FUNCTIONS.get(name)
    if function is None or arguments.keywords or not arguments.complete:
        return None
    try:
        result = function(*map(_literal, arguments.positional))
    except (ArithmeticError, TypeError, ValueError):
        return None
    large = isinstance(result, int) and result.bit_length() > MAX_BITS
    long = isinstance(result, str) and len(result) > MAX_LENGTH
    return None if large or long else Constant(result)


def _literal(value: Value) -> Any:
    """The object that a value describes.

    Raises:
      TypeError: it is not known.
    """
    match value:
        case Constant(value=constant) if constant is not Ellipsis:
            return constant
        case Sequence() | NamedTuple() | Iterator():
            items = members.items_of(value)
            if items is not None:
                return [_literal(item) for item in items]
    raise TypeError

"""`# pallas: example(f32[8,128], 3, scale=0.5)`: inputs that a comment gives for the function below it."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import Any

_COMMENT = re.compile(r"[ \t]*#\s*pallas:\s*example\b(?P<inputs>.*)$", re.DOTALL)
_INPUTS = re.compile(r"\((?P<items>.*)\)\s*$")
_ARRAY = re.compile(r"(?P<dtype>[a-z][a-z0-9_]*)\[(?P<sizes>(?:\s*\d+\s*,)*\s*(?:\d+\s*)?)\]$")
_KEYWORD = re.compile(r"\s*(?P<name>[^\W\d]\w*)\s*=(?!=)")

DTYPES = {
    **{f"f{bits}": f"float{bits}" for bits in (16, 32, 64)},
    **{f"i{bits}": f"int{bits}" for bits in (8, 16, 32, 64)},
    **{f"u{bits}": f"uint{bits}" for bits in (8, 16, 32, 64)},
    **{name: name for name in ("float16", "float32", "float64", "bfloat16", "bool")},
    **{f"{kind}{bits}": f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)},
    "bf16": "bfloat16",
}
"""The dtypes that may be written, with the names that JAX has for them."""


class ExampleError(ValueError):
    """A comment that gives no inputs; the message says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Array:
    """An array to be made up: its dtype by JAX's name, and its shape."""

    dtype: str
    shape: tuple[int, ...]

    def as_json(self) -> dict[str, Any]:
        """For the child process."""
        return {"array": self.dtype, "shape": list(self.shape)}


@dataclass(frozen=True, slots=True)
class Literal:
    """A Python literal, as it is written."""

    source: str

    def as_json(self) -> dict[str, Any]:
        """For the child process."""
        return {"literal": self.source}


Input = Array | Literal


@dataclass(frozen=True, slots=True)
class Example:
    """The inputs of one call, by position and by name."""

    positional: tuple[Input, ...] = ()
    keywords: tuple[tuple[str, Input], ...] = ()

    def as_json(self) -> dict[str, Any]:
        """For the child process."""
        return {
            "positional": [one.as_json() for one in self.positional],
            "keywords": {name: one.as_json() for name, one in self.keywords},
        }


def example_in(line: str) -> Example | None:
    """The inputs that a line gives; None for a line without such a comment.

    Raises:
      ExampleError: an item is no array and no literal, or there is no list of items in parentheses.
    """
    comment = _COMMENT.match(line)
    if comment is None:
        return None
    inputs = _INPUTS.match(comment["inputs"])
    if inputs is None:
        raise ExampleError("`example` is followed by inputs in parentheses and nothing else, all on one line")
    return _example(inputs["items"])


def _example(items: str) -> Example:
    positional: list[Input] = []
    keywords: list[tuple[str, Input]] = []
    for item in _split(items):
        keyword = _KEYWORD.match(item)
        if keyword is not None:
            keywords.append((keyword["name"], _input(item[keyword.end() :])))
        elif keywords:
            raise ExampleError(f"`{item.strip()}` stands behind inputs with names")
        else:
            positional.append(_input(item))
    return Example(tuple(positional), tuple(keywords))


def _split(items: str) -> list[str]:
    """The items between commas that no bracket or quote encloses."""
    found, depth, quote = [""], 0, ""
    for character in items:
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        elif character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        if character == "," and not depth and not quote:
            found.append("")
        else:
            found[-1] += character
    return [item for item in found if item.strip()]


def _input(text: str) -> Input:
    text = text.strip()
    array = _ARRAY.match(text)
    if array is not None:
        if array["dtype"] not in DTYPES:
            raise ExampleError(f"`{array['dtype']}` is no dtype; one is {', '.join(sorted(DTYPES))}")
        sizes = [size for size in array["sizes"].split(",") if size.strip()]
        return Array(DTYPES[array["dtype"]], tuple(map(int, sizes)))
    try:
        ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        raise ExampleError(f"`{text}` is neither an array, such as `f32[8,128]`, nor a literal") from None
    return Literal(text)

"""Where the values of a JSON text are, so that one can be replaced and all else stays. The text must be valid JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

_SPACE = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()


def after_space(text: str, position: int) -> int:
    """The offset of the first character from `position` on that is not white space."""
    found = _SPACE.match(text, position)
    assert found is not None
    return found.end()


def value_end(text: str, start: int) -> int:
    """Where the value ends that starts at an offset."""
    _, end = _DECODER.raw_decode(text, start)
    return end


def member_starts(text: str, start: int) -> dict[str, int]:
    """The offsets of the values of the object that starts at an offset; of a key that is given twice, the last."""
    found: dict[str, int] = {}
    position = after_space(text, start + 1)
    while text[position] != "}":
        key, end = _DECODER.raw_decode(text, position)
        colon = after_space(text, end)
        value = found[key] = after_space(text, colon + 1)
        position = _after_comma(text, value_end(text, value))
    return found


def elements(text: str, start: int) -> Iterator[tuple[int, int]]:
    """The start and end of each element of the array that starts at an offset."""
    position = after_space(text, start + 1)
    while text[position] != "]":
        end = value_end(text, position)
        yield position, end
        position = _after_comma(text, end)


def _after_comma(text: str, position: int) -> int:
    """The offset of what follows a value: the next one, or the closing bracket."""
    position = after_space(text, position)
    return after_space(text, position + 1) if text[position] == "," else position

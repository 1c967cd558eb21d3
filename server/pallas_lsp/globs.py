"""Regular expressions for globs that read a name once, however many wildcards there are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

MAX_LENGTH = 4096
"""A longer glob is none: no path is longer."""


class Wildcard(NamedTuple):
    """A part of a glob that stands for any number of steps.

    Args:
      step: a regular expression for one of them.
    """

    step: str


FOLDERS = Wildcard("[^/]*/")
"""`**/`: any number of folders."""

WITHIN = Wildcard("[^/]")
"""`*` in an ignore file: any characters of one name."""

ACROSS = Wildcard(".")
"""`*` in the settings: any characters, slashes too."""


def expression(parts: Sequence[str | Wildcard]) -> str:
    """A regular expression for parts of a glob: wildcards, and regular expressions for one character.

    A wildcard is as short as what stands between it and the next one allows: whatever else it could take, the next one
    can take as well. Without that, a name of 255 characters against `*a*a*a*a*b` is tried in millions of ways.
    """
    plain: list[str | Wildcard] = []
    for part in parts:
        last = plain[-1] if plain else None
        if part == ACROSS and last == FOLDERS:
            plain[-1] = part
        elif not isinstance(part, Wildcard) or (part != last and not (part == FOLDERS and last == ACROSS)):
            plain.append(part)
    return _expression(plain, is_last=True)


def _expression(parts: Sequence[str | Wildcard], *, is_last: bool) -> str:
    """The same for parts in which no wildcard follows its like; unless they are the last, another follows them."""
    pieces: list[str] = []
    done = 0
    while done < len(parts):
        part = parts[done]
        done += 1
        if isinstance(part, str):
            pieces.append(part)
            continue
        following = parts[done:]
        # Between two `**/` may be other wildcards.
        kinds = (FOLDERS,) if part == FOLDERS else (FOLDERS, WITHIN, ACROSS)
        until = next((at for at, one in enumerate(following) if one in kinds), None)
        if until is None and is_last:
            pieces.append("(?:.*/)?" if part == FOLDERS else f"{part.step}*")
        else:
            fixed = _expression(following[:until], is_last=False)
            pieces.append(f"(?:(?!{fixed}){part.step})*{fixed}")
            done += len(following) if until is None else until
    return "".join(pieces)

"""What git ignores, without asking git: `.gitignore` files and `.git/info/exclude`.

The source is gitignore(5). The user's global ignore file is not read: what is checked must not depend on the machine.
"""

# Paths stay strings here, as in `files`.
# ruff: noqa: PTH110, PTH118, PTH120

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import NamedTuple

from pallas_lsp.files import content
from pallas_lsp.globs import FOLDERS, MAX_LENGTH, WITHIN, Wildcard, expression


class IgnorePattern(NamedTuple):
    """One line of an ignore file.

    Args:
      expression: a regular expression.
      whole: whether it is matched against the path relative to the file's folder, rather than against the name alone.
      only_folders: whether it means folders only.
      negated: whether what it matches is not ignored after all.
    """

    expression: str
    whole: bool
    only_folders: bool
    negated: bool


class Ignored(NamedTuple):
    """The patterns that hold in a folder: its own, and those of the folders around it in the same repository.

    Args:
      folder: the absolute path that the patterns are relative to.
      patterns: those of one file, in its order; the last one that matches decides.
      names: matches all names, and `wholes` all relative paths, that any of the patterns matches.
      outer: the patterns further out; an inner one wins.
    """

    folder: str
    patterns: tuple[IgnorePattern, ...]
    names: re.Pattern[str]
    wholes: re.Pattern[str]
    outer: Ignored | None

    def matches(self, path: str, *, is_folder: bool) -> bool:
        """Whether git ignores the absolute `path` below `folder`, given that the folder around it is not ignored."""
        layer: Ignored | None = self
        while layer is not None:
            verdict = layer._verdict(path, is_folder)
            if verdict is not None:
                return verdict
            layer = layer.outer
        return False

    def _verdict(self, path: str, is_folder: bool) -> bool | None:
        whole = path[len(self.folder) :].replace(os.sep, "/").lstrip("/")
        name = whole.rpartition("/")[2]
        if not self.names.fullmatch(name) and not self.wholes.fullmatch(whole):
            return None
        for pattern in reversed(self.patterns):
            applies = is_folder or not pattern.only_folders
            if applies and re.fullmatch(pattern.expression, whole if pattern.whole else name, re.S):
                return not pattern.negated
        return None


def ignored_around(folder: str) -> tuple[bool, Ignored | None]:
    """Whether the absolute `folder` is in a git repository, and the patterns that hold there, without its own."""
    around = []
    inner = folder
    while not os.path.exists(os.path.join(inner, ".git")):
        parent = os.path.dirname(inner)
        if parent == inner:
            return False, None
        around.append(parent)
        inner = parent
    ignored = None
    for parent in reversed(around):
        ignored = ignored_in(parent, ignored)
    return True, ignored


def ignored_in(folder: str, outer: Ignored | None) -> Ignored | None:
    """The patterns that hold in `folder`, given those that hold around it."""
    if os.path.exists(os.path.join(folder, ".git")):
        outer = _with_file(folder, os.path.join(folder, ".git", "info", "exclude"), None)
    return _with_file(folder, os.path.join(folder, ".gitignore"), outer)


def _with_file(folder: str, path: str, outer: Ignored | None) -> Ignored | None:
    try:
        lines = content(path).decode("utf-8-sig", "surrogateescape").split("\n")
    except OSError:
        return outer
    patterns = tuple(pattern for line in lines if (pattern := ignore_pattern(line)) is not None)
    if not patterns:
        return outer
    return Ignored(folder, patterns, _any_of(patterns, whole=False), _any_of(patterns, whole=True), outer)


def _any_of(patterns: Iterable[IgnorePattern], *, whole: bool) -> re.Pattern[str]:
    return re.compile("|".join(each.expression for each in patterns if each.whole is whole) or "(?!)", re.S)


def ignore_pattern(line: str) -> IgnorePattern | None:
    """What a line of an ignore file means; None for a comment, and for what can match nothing."""
    line = re.sub(r"(?<!\\) +$", "", line.removesuffix("\r"))
    if not line or line.startswith("#"):
        return None
    negated = line.startswith("!")
    glob = line.removeprefix("!")
    only_folders = glob.endswith("/")
    glob = glob.removesuffix("/")
    whole = "/" in glob
    expression = _expression(glob.removeprefix("/"))
    return None if expression is None else IgnorePattern(expression, whole, only_folders, negated)


_PARTS = re.compile(
    r"""(?P<folders>(?:^|(?<=/))\*\*/)
      | (?P<inside>(?:^|(?<=/))\*\*$)
      | (?P<any>\*+)
      | (?P<one>\?)
      | \[(?P<negated>[!^]?)(?P<members>\]?(?:\[:[a-z]+:\]|\\.|[^\]\\])*)\]
      | \\(?P<literal>.)
      | (?P<plain>[^\\\[])
    """,
    re.X | re.S,
)
_CLASSES = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "blank": r" \t",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": r"!-/:-@\[-`{-~",
    "space": r"\s",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}


def _expression(glob: str) -> str | None:
    """A regular expression for a pattern; None when a bracket or a backslash has no end, or there is nothing in it."""
    parts: list[str | Wildcard] = []
    done = 0
    while done < len(glob) <= MAX_LENGTH:
        found = _PARTS.match(glob, done)
        if found is None:
            return None
        done = found.end()
        if found["folders"]:
            parts.append(FOLDERS)
        elif found["inside"]:
            parts.append(".+")
        elif found["any"]:
            parts.append(WITHIN)
        elif found["one"]:
            parts.append("[^/]")
        elif found["members"] is not None:
            parts.append(f"(?!/)[{'^' if found['negated'] else ''}{_members(found['members'])}]")
        else:
            parts.append(re.escape(found["literal"] or found["plain"]))
    written = expression(parts)
    try:
        re.compile(written)
    except re.error:
        return None
    return written or None


def _members(written: str) -> str:
    def translated(found: re.Match[str]) -> str:
        if found["name"]:
            return _CLASSES.get(found["name"], "")
        return re.escape(found["literal"] or found["special"])

    return re.sub(r"\[:(?P<name>[a-z]+):\]|\\(?P<literal>.)|(?P<special>[\[\]^&~|])", translated, written, flags=re.S)

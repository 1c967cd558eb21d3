"""What git ignores, without asking git: `.gitignore` files and `.git/info/exclude`.

The source is gitignore(5). The user's global ignore file is not read: what is checked must not depend on the machine.
"""

# Paths stay strings here, as in `files`.
# ruff: noqa: PTH110, PTH118, PTH120, PTH123

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


class Ignored(NamedTuple):
    """The patterns that hold in a folder: its own, and those of the folders around it in the same repository.

    Args:
      folder: the absolute path that `spec` is relative to.
      spec: the patterns of one file.
      outer: the patterns further out; an inner one wins.
    """

    folder: str
    spec: GitIgnoreSpec
    outer: Ignored | None

    def matches(self, path: str, *, is_folder: bool) -> bool:
        """Whether git ignores the absolute `path` below `folder`, given that the folder around it is not ignored."""
        layer: Ignored | None = self
        while layer is not None:
            relative = path[len(layer.folder) :].lstrip(os.sep).replace(os.sep, "/")
            verdict = layer.spec.check_file(f"{relative}/" if is_folder else relative).include
            if verdict is not None:
                return verdict
            layer = layer.outer
        return False


def ignored_around(folder: str) -> tuple[bool, Ignored | None]:
    """Whether the absolute `folder` is in a git repository, and the patterns that hold there, without its own."""
    chain = []
    inner = folder
    while not os.path.exists(os.path.join(inner, ".git")):
        parent = os.path.dirname(inner)
        if parent == inner:
            return False, None
        chain.append(inner)
        inner = parent
    ignored = None
    for around in reversed(chain):
        ignored = ignored_in(os.path.dirname(around), ignored)
        if ignored is not None and ignored.matches(around, is_folder=True):
            ignored = None  # The user asks for an ignored folder by name.
    return True, ignored


def ignored_in(folder: str, outer: Ignored | None) -> Ignored | None:
    """The patterns that hold in `folder`, given those that hold around it."""
    if os.path.exists(os.path.join(folder, ".git")):
        outer = _with_file(folder, os.path.join(folder, ".git", "info", "exclude"), None)
    return _with_file(folder, os.path.join(folder, ".gitignore"), outer)


def _with_file(folder: str, path: str, outer: Ignored | None) -> Ignored | None:
    try:
        with open(path, encoding="utf-8-sig", errors="replace") as file:
            lines = file.read().splitlines()
    except OSError:
        return outer
    if not any(line and not line.startswith("#") for line in lines):
        return outer
    return Ignored(folder, _spec(lines), outer)


def _spec(lines: list[str]) -> GitIgnoreSpec:
    """Compiles patterns; those that are none are left out, as git does."""
    from pathspec import GitIgnoreSpec

    try:
        return GitIgnoreSpec.from_lines(lines)
    except ValueError:
        return GitIgnoreSpec.from_lines([line for line in lines if _is_pattern(line)])


def _is_pattern(line: str) -> bool:
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True

"""Which files to check: what was named, and what a search of the named folders finds."""

# Paths stay strings here: a search handles thousands of them, and they are matched as strings.
# ruff: noqa: PTH100, PTH109, PTH116, PTH110, PTH112, PTH113, PTH118, PTH120, PTH123, PTH207

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterable, Iterator
from typing import NamedTuple

from pallas_lsp.config import FILE_NAMES, Settings
from pallas_lsp.files import MAX_BYTES, UnreadableError
from pallas_lsp.gitignore import Ignored, ignored_around, ignored_in

MAX_NOTEBOOK_BYTES = 128 * 1024 * 1024
"""A larger notebook is not read; most of one is pictures."""

_EMPTY = "''"
"""How a name without a letter is shown: it is no name of the current folder, `$FILES` was empty."""


class Target(NamedTuple):
    """A file to check.

    Args:
      path: absolute.
      settings: that hold for it.
      named: whether the user named it, rather than a folder around it or a list that it is in.
    """

    path: str
    settings: Settings
    named: bool


class Search(NamedTuple):
    """One search for files.

    Args:
      settings_for: the settings of a file, given its absolute path.
      warn: is told about folders that cannot be read.
      fail: is told about arguments that mean nothing.
    """

    settings_for: Callable[[str], Settings]
    warn: Callable[[str], None]
    fail: Callable[[str], None]

    def targets(self, arguments: Iterable[str], listed: Container[str] = ()) -> Iterator[Target]:
        """The files that `arguments` mean, each once; in the order of the arguments, and of names within a folder.

        Args:
          arguments: files, folders, or patterns with `*`, `?`, `[...]` and `**`, relative to the current folder.
          listed: those of them that stand in a list: thousands, perhaps, of which most have no kernel.

        Raises:
          ConfigError: the settings of a folder cannot be used.
        """
        seen = set()
        for argument in arguments:
            paths = _meant_by(argument)
            if not paths:
                self.fail(f"{argument or _EMPTY}: no such file or folder")
            for path in paths:
                named = argument not in listed
                for target in self._search(path) if os.path.isdir(path) else self._single(path, named):
                    if target.path not in seen:
                        seen.add(target.path)
                        yield target

    def _single(self, path: str, named: bool) -> Iterator[Target]:
        settings = self.settings_for(path)
        if not excluded_by_force(path, settings):
            yield Target(path, settings, named)

    def _search(self, top: str) -> Iterator[Target]:
        settings = self.settings_for(os.path.join(top, "_"))
        if excluded_by_force(top, settings):
            return
        in_repository, ignored = ignored_around(top)
        stack = [self._entered(top, settings, in_repository, ignored)]
        while stack:
            folder = stack[-1]
            for entry in folder.entries:
                # A link to a folder is not followed: what it shows is found where it is, and links can form a circle.
                is_folder = entry.is_dir(follow_symlinks=False)
                if is_folder and not folder.leaves_out(entry.path, is_folder=True):
                    stack.append(self._entered(entry.path, folder.settings, folder.in_repository, folder.ignored))
                    break
                if not is_folder and folder.wants(entry):
                    yield Target(entry.path, folder.settings, named=False)
            else:
                stack.pop()

    def _entered(self, path: str, settings: Settings, in_repository: bool, ignored: Ignored | None) -> _Folder:
        """Lists a folder and reads what its files say about it, given what holds around it."""
        try:
            with os.scandir(path) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError as error:
            self.warn(f"{path}: not searched: {error.strerror}")
            entries = []
        names = {entry.name for entry in entries}
        if not names.isdisjoint(FILE_NAMES):
            settings = self.settings_for(os.path.join(path, "_"))
        if ".git" in names or (in_repository and ".gitignore" in names):
            in_repository, ignored = True, ignored_in(path, ignored)
        return _Folder(iter(entries), settings, in_repository, ignored)


class _Folder(NamedTuple):
    """A folder that is being searched, with what is left of it."""

    entries: Iterator[os.DirEntry[str]]
    settings: Settings
    in_repository: bool
    ignored: Ignored | None

    def wants(self, entry: os.DirEntry[str]) -> bool:
        """Whether an entry that is no folder is to be checked."""
        if not self.settings.include.matches(entry.path) or self.leaves_out(entry.path, is_folder=False):
            return False
        try:
            return entry.is_file()
        except OSError:
            return False

    def leaves_out(self, path: str, *, is_folder: bool) -> bool:
        """Whether the settings or git say to leave it out."""
        if self.settings.exclude.matches(path):
            return True
        if not self.settings.respect_gitignore or self.ignored is None:
            return False
        return self.ignored.matches(path, is_folder=is_folder)


def _meant_by(argument: str) -> list[str]:
    """The absolute paths of what exists under a name, or else matches it as a pattern."""
    path = absolute(argument)
    if argument and os.path.exists(path):
        return [path]
    if not any(character in argument for character in "*?["):
        return []
    import glob

    return [absolute(name) for name in sorted(glob.glob(argument, recursive=True))]


def excluded_by_force(path: str, settings: Settings) -> bool:
    """Whether something that was named is left out all the same, because it or a folder around it is excluded."""
    if not settings.force_exclude:
        return False
    while not settings.exclude.matches(path):
        parent = os.path.dirname(path)
        if parent == path:
            return False
        path = parent
    return True


def absolute(path: str) -> str:
    """The absolute path of what is named relative to the current folder."""
    return os.path.abspath(path)


def is_file(path: str) -> bool:
    """Whether there is a file of this name."""
    return os.path.isfile(path)


def size_of(path: str) -> int:
    """The size of a file in bytes; 0 when it cannot be told."""
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def read(path: str) -> bytes:
    """The contents of a file or pipe.

    Raises:
      OSError: it cannot be read, or is larger than any source.
    """
    limit = MAX_NOTEBOOK_BYTES if path.endswith(".ipynb") else MAX_BYTES
    with open(path, "rb") as file:
        data = file.read(limit + 1)
    if len(data) > limit:
        raise UnreadableError(0, f"larger than {limit // 1024 // 1024} MiB", path)
    return data


def shown_path(path: str) -> str:
    """A path as people read it: relative to the current folder when it is in it, else absolute."""
    here = os.path.join(os.getcwd(), "")
    return path.removeprefix(here)

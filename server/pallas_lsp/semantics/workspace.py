"""The files below a folder, which of them mention Pallas, and what these import: found without parsing."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pallas_lsp.files import MAX_BYTES, content
from pallas_lsp.gitignore import ignored_around, ignored_in

SKIPPED_FOLDERS = frozenset(
    {"__pycache__", "node_modules", "site-packages", "build", "dist", "venv", "env", "buck-out", "bazel-out"}
)
"""Folders that hold no sources of the project; those whose name starts with a dot are skipped as well."""

ENVIRONMENT = "pyvenv.cfg"
"""The file that tells a virtual environment, whatever its folder is called (PEP 405)."""

OBSERVED = 1000
"""Files between two calls of an observer."""

MAX_FILES = 100_000
"""Files that are looked at below one folder."""

# No two parts of it can share a character, and names in brackets end at the next one: any text is read once.
_IMPORT = re.compile(
    rb"^[ \t]*(?:from([ \t.]+)(?:((?!import\b)\w[\w.]*)[ \t]+)?import\b[ \t]*(\((?:[^()#]|#[^\r\n]*)*\)|[^\r\n;#]*)"
    rb"|import[ \t]+([^\r\n;#]+))",
    re.M,
)
_COMMENT = re.compile(rb"#[^\r\n]*")
_NAME = re.compile(rb"[^\W\d][\w.]*")


REF_HINTS = ("_ref", "[...]")
"""Text without any of these, and without the word Pallas, holds no kernels: they name a Ref, or read or write one."""


@dataclass(frozen=True, slots=True)
class ImportLine:
    """One import as written: `from ..module import names`, or `import module` with no names; `level` counts dots."""

    module: str
    level: int
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ScannedFile:
    """A file as it was when it was read.

    Args:
      modified: when it was changed last, in nanoseconds.
      size: in bytes.
      mentions_pallas: whether the word stands in it.
      hints_at_refs: whether any of `REF_HINTS` does.
      imports: what it imports, if it mentions Pallas; those of other files are not looked at.
    """

    modified: int
    size: int
    mentions_pallas: bool
    hints_at_refs: bool
    imports: tuple[ImportLine, ...] = ()


def files_below(
    folder: str, known: Mapping[str, ScannedFile], observe: Callable[[int], object] | None = None
) -> dict[str, ScannedFile]:
    """The Python files below a folder, without those of virtual environments and those that git ignores.

    Args:
      folder: where to look; symbolic links to folders are not followed.
      known: the last answer; a file that has not changed since is not read again.
      observe: is told now and then how many files there are so far; what it raises ends the search.
    """
    found: dict[str, ScannedFile] = {}
    for entry in _python_files(folder):
        if len(found) >= MAX_FILES:
            break
        if observe is not None and found and len(found) % OBSERVED == 0:
            observe(len(found))
        try:
            if not entry.is_file():
                continue
            status = entry.stat()
            last = known.get(entry.path)
            if last is not None and (last.modified, last.size) == (status.st_mtime_ns, status.st_size):
                found[entry.path] = last
            elif status.st_size <= MAX_BYTES:
                found[entry.path] = _scanned(entry.path, status)
        except OSError:  # it vanished, or is not ours to read
            continue
    return found


def files_among(paths: Iterable[str]) -> dict[str, ScannedFile]:
    """The same for files that are known by name; those that cannot be read are left out."""
    found: dict[str, ScannedFile] = {}
    for path in paths:
        with suppress(OSError):
            found[path] = _scanned(path, Path(path).stat())
    return found


def _python_files(folder: str) -> Iterator[os.DirEntry[str]]:
    in_repository, around = ignored_around(folder)
    stack = [(folder, in_repository, around)]
    while stack:
        current, in_repository, ignored = stack.pop()
        try:
            with os.scandir(current) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
            names = {entry.name for entry in entries}
            if ENVIRONMENT in names and current != folder:
                continue
            if ".git" in names or (in_repository and ".gitignore" in names):
                in_repository, ignored = True, ignored_in(current, ignored)
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    skipped = entry.name in SKIPPED_FOLDERS or entry.name.startswith(".")
                    if not skipped and not (ignored and ignored.matches(entry.path, is_folder=True)):
                        stack.append((entry.path, in_repository, ignored))
                elif entry.name.endswith(".py") and not (ignored and ignored.matches(entry.path, is_folder=False)):
                    yield entry
        except OSError:
            continue


def _scanned(path: str, status: os.stat_result) -> ScannedFile:
    data = content(path)
    mentions = b"pallas" in data
    hints = any(hint.encode() in data for hint in REF_HINTS)
    imports = tuple(imports_in(data)) if mentions else ()
    return ScannedFile(status.st_mtime_ns, status.st_size, mentions, hints, imports)


def content_of(path: str) -> bytes:
    """What is in a file; nothing when it cannot be read."""
    try:
        return content(path)
    except OSError:
        return b""


def imports_in(data: bytes) -> Iterator[ImportLine]:
    """The imports of a file; one inside a string is taken for real, which costs a look at a file too many."""
    for dots, module, names, modules in _IMPORT.findall(data):
        if modules:
            for part in modules.split(b","):
                name = _NAME.match(part.strip())
                if name is not None:
                    yield ImportLine(name.group().decode("utf-8", "replace"), 0)
        else:
            words = [part.split() for part in _COMMENT.sub(b"", names).strip(b"() \t").split(b",")]
            imported = tuple(word[0].decode("utf-8", "replace") for word in words if word)
            yield ImportLine(module.decode("utf-8", "replace"), dots.count(b"."), imported)

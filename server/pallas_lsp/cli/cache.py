"""What earlier runs have found out: kept in a file for each set of project folders, and used while it holds.

A result holds while the file, the settings, this version of the checker, the files that the result depends on, and the
set of files of the project are the same. Times and sizes are compared first; where they differ, contents are.

The cache is never needed: what cannot be read counts as empty, what cannot be written is left. It is written in one
step, so that of two runs at the same time one wins and neither reads half a file.
"""

# Paths stay strings here: thousands of them are looked at.
# ruff: noqa: PTH116

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pallas_lsp import __version__
from pallas_lsp.cli.records import Record
from pallas_lsp.config import Settings
from pallas_lsp.files import content
from pallas_lsp.target import releases_of, target_of

if TYPE_CHECKING:
    from pallas_lsp.semantics.project import Scan
    from pallas_lsp.semantics.workspace import ScannedFile

FOLDER_NAME = ".pallas_lsp_cache"
"""The folder in the project that holds its cache; its contents may be deleted at any time."""

_MAX_BYTES = 256 * 1024 * 1024
"""A larger file is not read."""

_TAG = "Signature: 8a477f597d28d172789f06886806bc55\n# A cache of pallas-lsp; see https://bford.info/cachedir/\n"


class Entry(NamedTuple):
    """What was found in a file, and what that depended on.

    Args:
      importers: the files that were followed for launches of its kernels.
      consulted: the other files that were looked into.
      key: digest of the contents of all these, and of the settings.
      record: the result.
    """

    importers: tuple[str, ...]
    consulted: tuple[str, ...]
    key: str
    record: Record | None


class Cache:
    """The cache of one run.

    Args:
      folder: where it is kept; None for a run without one.
      roots: the folders of the project.
    """

    def __init__(self, folder: Path | None, roots: Sequence[Path]) -> None:
        name = hashlib.sha256("\0".join(map(str, roots)).encode("utf-8", "surrogateescape")).hexdigest()[:32]
        self._folder = folder
        self._file = None if folder is None else folder / f"{__version__}-{name}.json"
        self._digests: dict[str, str] = {}
        self._settings: dict[int, str] = {}
        self._names: dict[str, int] = {}
        self._changed = False

    @cached_property
    def _content(self) -> dict[str, Any]:
        empty: dict[str, Any] = {"checker": _checker(), "shape": "", "roots": {}, "connected": []}
        empty |= {"names": [], "versions": {}, "entries": {}}
        if self._file is None:
            return empty
        try:
            stored = json.loads(content(str(self._file), _MAX_BYTES))
        except (OSError, ValueError):
            return empty
        return stored if isinstance(stored, dict) and stored.get("checker") == empty["checker"] else empty

    def scan(self) -> Scan:
        """The files of the project as the last run saw them."""
        from pallas_lsp.semantics.workspace import ImportLine, ScannedFile

        def read(modified: int, size: int, mentions: bool, hints: bool, imports: list[Any]) -> ScannedFile:
            lines = (ImportLine(module, level, tuple(names)) for module, level, names in imports)
            return ScannedFile(modified, size, mentions, hints, tuple(lines))

        return {
            root: {path: read(*file) for path, file in files.items()} for root, files in self._content["roots"].items()
        }

    def keep_scan(self, scanned: Scan) -> bool:
        """Takes note of the files of the project; whether each of them is as the last run saw it."""
        roots = {root: {path: _scanned(file) for path, file in files.items()} for root, files in scanned.items()}
        shape = _digest(
            f"{path}\0{file.mentions_pallas}" for files in scanned.values() for path, file in sorted(files.items())
        )
        unchanged = bool(roots == self._content["roots"])
        if shape != self._content["shape"]:
            self._content.update(names=[], versions={}, entries={})
        self._changed = self._changed or not unchanged
        self._content.update(roots=roots, shape=shape)
        return unchanged

    @property
    def connected(self) -> frozenset[str]:
        """The files that hint at Refs and are connected to others with Pallas, as the last run found them."""
        return frozenset(self._content["connected"])

    def keep_connected(self, paths: Iterable[str]) -> None:
        """Takes note of the files that hint at Refs and are connected to others with Pallas."""
        self._content["connected"] = sorted(paths)

    def entry(self, path: str) -> Entry | None:
        """What was found in a file; the caller looks whether it still holds."""
        stored = self._content["entries"].get(path)
        if stored is None:
            return None
        importers, consulted, key, record = stored
        names = self._content["names"]
        return Entry(
            tuple(names[number] for number in importers), tuple(names[number] for number in consulted), key, record
        )

    def holds(self, entry: Entry, path: str, settings: Settings) -> bool:
        """Whether a result is still right for a file with these settings, if the same files import it."""
        return entry.key == self._key(path, settings, entry.importers, entry.consulted)

    def keep(
        self, path: str, settings: Settings, importers: Iterable[str], consulted: Iterable[str], record: Record | None
    ) -> None:
        """Keeps a result for later runs."""
        importers, consulted = tuple(importers), tuple(sorted({*consulted} - {path}))
        key = self._key(path, settings, importers, consulted)
        numbers = [[self._number(name) for name in names] for names in (importers, consulted)]
        self._content["entries"][path] = [*numbers, key, record]
        self._changed = True

    def save(self) -> None:
        """Writes what has changed; silently leaves it where that cannot be done."""
        if self._file is None or self._folder is None or not self._changed:
            return
        temporary = self._file.with_suffix(f".{os.getpid()}.tmp")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            for name, text in (("CACHEDIR.TAG", _TAG), (".gitignore", "*\n")):
                with suppress(FileExistsError), (self._folder / name).open("x", encoding="utf-8") as file:
                    file.write(text)
            temporary.unlink(missing_ok=True)
            # Never through a link that the project has put there: it could lead to any file of the user.
            with temporary.open("x", encoding="ascii") as file:
                file.write(json.dumps(self._content, separators=(",", ":")))
            temporary.replace(self._file)
        except OSError:
            with suppress(OSError):
                temporary.unlink()

    def _key(self, path: str, settings: Settings, importers: tuple[str, ...], consulted: tuple[str, ...]) -> str:
        known = self._settings.get(id(settings))
        if known is None:
            parts = (settings.select, settings.extend_select, settings.ignore, settings.per_file_ignores)
            known = self._settings[id(settings)] = repr((parts, settings.severity, settings.unsafe_fixes))
        target = settings.target_jax or target_of(path, settings.python) or ""
        releases = () if settings.target_jax else releases_of(path, settings.python)
        return _digest((known, target, repr(releases), *importers, *map(self._digest_now, (path, *consulted))))

    def _digest_now(self, path: str) -> str:
        """The digest of what is in a file now; empty when it cannot be read."""
        known = self._digests.get(path)
        if known is None:
            try:
                status = os.stat(path)
                modified, size, digest = self._content["versions"].get(path, (0, 0, ""))
                if (status.st_mtime_ns, status.st_size) != (modified, size):
                    digest = hashlib.blake2b(content(path, _MAX_BYTES), digest_size=16).hexdigest()
                    self._content["versions"][path] = [status.st_mtime_ns, status.st_size, digest]
                    self._changed = True
            except OSError:
                digest = ""
            known = self._digests[path] = digest
        return known

    def _number(self, name: str) -> int:
        names = self._content["names"]
        if not self._names:
            self._names = {known: number for number, known in enumerate(names)}
        if name not in self._names:
            self._names[name] = len(names)
            names.append(name)
        return self._names[name]


def _scanned(file: ScannedFile) -> list[Any]:
    imports = [[imported.module, imported.level, [*imported.names]] for imported in file.imports]
    return [file.modified, file.size, file.mentions_pallas, file.hints_at_refs, imports]


def _checker() -> str:
    """What tells this checker from others: its sources as they are installed, and Python, whose parser it uses."""
    package = Path(__file__).parent.parent
    sources = sorted(package.glob("**/*.py"))
    stamps = (f"{source}\0{status.st_mtime_ns}\0{status.st_size}" for source in sources for status in (source.stat(),))
    return _digest((sys.version, __version__, *stamps))


def _digest(parts: Iterable[str]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        digest.update(part.encode("utf-8", "surrogateescape") + b"\0")
    return digest.hexdigest()

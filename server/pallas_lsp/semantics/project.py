"""The modules of the workspace: on disk and in editors, and which file an import means. The state of the analysis."""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from pallas_lsp.files import MAX_BYTES, content
from pallas_lsp.semantics.facts import ChunkFacts, ImportedName, facts_of
from pallas_lsp.semantics.jax_api import CANONICAL_MODULES
from pallas_lsp.semantics.pieces import Change, Piece
from pallas_lsp.semantics.workspace import REF_HINTS, ImportLine, ScannedFile, content_of, files_below, imports_in
from pallas_lsp.syntax import Chunk, ParsedModule, parse_module
from pallas_lsp.text import SourceText, UndecodableError, decode

EXTERNAL_PACKAGES = frozenset({"jax", "jaxlib", "numpy", "jax_triton"}) | frozenset(sys.stdlib_module_names)
"""Top-level packages that the API table speaks for; they are not looked for in the workspace."""

Scan = dict[str, dict[str, ScannedFile]]
"""For each root, its files."""

MAX_FORWARDS = 2
"""Files that may lie between one that launches kernels and the one from which it is called."""

MAX_CHANGES = 256
"""Changes that are remembered; what was learned before the oldest is learned anew."""

EVERYTHING = Change(None)
"""The change after which nothing is known to hold."""

MAX_IMPORTERS = 16
"""Files that import one file and are followed for the launches of its kernels."""


@dataclass(eq=False)
class Module:
    """One version of one file.

    Args:
      path: as the front gave it; only compared and shown.
      parsed: its syntax.
      project: where its imports are looked up.
      takers: those of its functions that launch what they are given, by the names that it imports for doing so.
    """

    path: str
    parsed: ParsedModule
    project: Project
    takers: dict[frozenset[str], frozenset[str]] = field(default_factory=dict)

    @cached_property
    def facts(self) -> tuple[ChunkFacts, ...]:
        """What each chunk says by itself."""
        return tuple([facts_of(chunk) for chunk in self.parsed.chunks])

    @cached_property
    def binding_chunks(self) -> dict[str, list[int]]:
        """For each name, the numbers of the chunks that bind it at module level, in order."""
        found: dict[str, list[int]] = {}
        for index, facts in enumerate(self.facts):
            for name in facts.bindings:
                found.setdefault(name, []).append(index)
        return found

    @cached_property
    def _indices(self) -> dict[Chunk, int]:
        return {chunk: index for index, chunk in enumerate(self.parsed.chunks)}

    def index_of(self, chunk: Chunk) -> int | None:
        """The number of a chunk, None when it is no chunk of this version's top level."""
        return self._indices.get(chunk)

    @cached_property
    def mentions_pallas(self) -> bool:
        """Whether the word stands anywhere in it."""
        return "pallas" in self.parsed.source.text

    @property
    def may_hold_kernels(self) -> bool:
        """Whether it is worth a look: it mentions Pallas, or Refs and is connected to a file that mentions Pallas."""
        if self.mentions_pallas:
            return True
        text = self.parsed.source.text
        return any(hint in text for hint in REF_HINTS) and self.project.is_connected(self.path)

    @cached_property
    def star_imports(self) -> tuple[tuple[str, int], ...]:
        """The modules of `from ... import *`, with their level."""
        return tuple([star for facts in self.facts for star in facts.stars])

    @cached_property
    def global_writes(self) -> frozenset[str]:
        """The names that functions of the module declare `global`."""
        return frozenset().union(*[facts.global_writes for facts in self.facts])

    @cached_property
    def changed_in_place(self) -> frozenset[str]:
        """The names of the module of which the lists or dicts may be changed in place, by other chunks, too."""
        return frozenset().union(*[facts.changed for facts in self.facts]) & self.binding_chunks.keys()

    @cached_property
    def attribute_writes(self) -> frozenset[str]:
        """The attributes that the module sets on other objects than `self`."""
        return frozenset().union(*[facts.attribute_writes for facts in self.facts])

    @cached_property
    def imports(self) -> tuple[ImportedName, ...]:
        """All imports of the module, at any depth."""
        return tuple([imported for facts in self.facts for imported in facts.imports])

    def resolve_module(self, name: str, level: int) -> str | Module:
        """What `import name` means here: a module of the project, or the name of an external one."""
        return self.project.resolve(self, name, level)


@dataclass(eq=False)
class _OnDisk:
    modified: int
    size: int
    module: Module


@dataclass(eq=False)
class Project:
    """The modules that a check may look at.

    Args:
      roots: folders from which absolute imports are looked up, besides the importing file's own folders.
      consulted: the files that results have depended on since this was last emptied; None if nobody asks.
    """

    roots: tuple[Path, ...] = ()
    consulted: set[str] | None = None
    _open: dict[str, Module] = field(default_factory=dict)
    _disk: dict[str, _OnDisk] = field(default_factory=dict)
    _changes: list[Change] = field(default_factory=list)
    _forgotten: int = 0
    _scanned: Scan = field(default_factory=dict)
    _mentioning: frozenset[str] = frozenset()
    _importers: dict[str, frozenset[str]] = field(default_factory=dict)
    _located: dict[tuple[str, str, int], str | None] = field(default_factory=dict)
    _leading: dict[tuple[str, int], bool] = field(default_factory=dict)

    def scan(self, observe: Callable[[int], object] | None = None) -> Scan:
        """Looks through the roots for files that mention Pallas; changes nothing, so that another thread may do it.

        May take seconds in a large workspace the first time; after `index`, it reads only what has changed.

        Args:
          observe: is told now and then how many files of a root there are so far; what it raises ends the search.
        """
        return {str(root): files_below(str(root), self._scanned.get(str(root), {}), observe) for root in self.roots}

    @property
    def candidates(self) -> list[str]:
        """The files that may hold kernels, sorted: they mention Pallas or are imported by such (after `index`)."""
        return sorted(self._mentioning | self._importers.keys())

    def index(self, scanned: Scan | None = None) -> bool:
        """Takes note of the files that mention Pallas, so that a kernel is found which another file launches.

        Args:
          scanned: what `scan` has found; None to scan now.

        Returns:
          Whether any file is imported by others than before.
        """
        self._scanned = self.scan() if scanned is None else scanned
        importers: dict[str, set[str]] = {}
        files = (item for found in self._scanned.values() for item in found.items())
        mentions = {path: file for path, file in files if file.mentions_pallas}
        stack = list(mentions)
        while stack:
            path = stack.pop()
            imports = mentions[path].imports if path in mentions else imports_in(content_of(path))
            for target in {file for imported in imports for file in self._files_of(path, imported)} - {path}:
                if target not in importers and target not in mentions:
                    stack.append(target)
                importers.setdefault(target, set()).add(path)
        self._mentioning = frozenset(mentions)
        self._forget_files()
        before = self._importers
        self._importers = {path: frozenset(found) for path, found in importers.items()}
        if self._importers != before:
            self._log(EVERYTHING)
        return self._importers != before

    def importers(self, path: str) -> tuple[list[Module], frozenset[str]]:
        """The modules that mention Pallas and import a file, and the files through which they may: known after `index`.

        A file that does not mention Pallas, and an `__init__.py`, hand on what they import; the file itself is one of
        those that are handed through.
        """
        found, through = self.importing(path)
        modules = (self.module(importer) for importer in found)
        return [module for module in modules if module is not None], through

    def importing(self, path: str) -> tuple[list[str], frozenset[str]]:
        """The same as `importers`, without reading the modules."""
        through, found, stack = {path}, list[str](), [path]
        while stack and len(found) < MAX_IMPORTERS:
            for importer in sorted(self._importers.get(stack.pop(), frozenset()) - through - set(found)):
                if importer in self._mentioning:
                    found.append(importer)
                if importer not in self._mentioning or importer.endswith("__init__.py"):
                    through.add(importer)
                    stack.append(importer)
        return found[:MAX_IMPORTERS], frozenset(through)

    def is_connected(self, path: str) -> bool:
        """Whether a file imports one that mentions Pallas, or is imported by such (known after `index`)."""
        return path in self._importers or self.leads_to_pallas(path)

    def _files_of(self, importer: str, imported: ImportLine) -> Iterator[str]:
        """The files of the project that an import may bring in: the module, and those of its names that are modules."""
        base = f"{imported.module}." if imported.module else ""
        for name in (imported.module, *(base + name for name in imported.names if name != "*")):
            path = self.locate(importer, name, imported.level)
            if path is not None:
                yield path

    def update(self, path: str, text: str) -> Module:
        """Takes a version of a file from an editor; it wins over the disk until `close`."""
        previous = self._open.get(path)
        if previous is None and path in self._disk:
            previous = self._disk[path].module
        if previous is not None and previous.parsed.source.text == text:
            self._open[path] = previous
            return previous
        parsed = parse_module(SourceText(text), previous.parsed if previous is not None else None)
        module = self._open[path] = Module(path, parsed, self)
        if previous is None or previous.imports != module.imports or previous.mentions_pallas != module.mentions_pallas:
            self._forget_files()
        if previous is not None:
            self._log(change_between(previous, module))
        elif not os.path.isfile(path):
            self._log(EVERYTHING)  # an import that led nowhere may lead here
        return module

    def close(self, path: str) -> None:
        """Forgets the editor's version of a file."""
        closed = self._open.get(path)
        on_disk = self._read(path)
        if closed is not None:
            del self._open[path]
            if on_disk is not closed:
                self._forget_files()
                self._log(EVERYTHING if on_disk is None else change_between(closed, on_disk))

    @property
    def revision(self) -> int:
        """The number of changes so far."""
        return self._forgotten + len(self._changes)

    def still_holds(self, piece: Piece) -> bool:
        """Whether no change since has touched what a piece relies on; it is then known to hold up to now."""
        revision = self._forgotten + len(self._changes)
        if piece.revision != revision:
            if piece.revision < self._forgotten:
                return False
            uses = piece.uses
            for change in self._changes[piece.revision - self._forgotten :]:
                if change.affects(uses):
                    return False
            piece.revision = revision
        if self.consulted is not None:
            self.consulted.update(path for path, _ in piece.uses.names)
        return True

    def refresh(self) -> None:
        """Takes note of the modules that have changed on disk."""
        for path in list(self._disk):
            self._read(path)

    def _log(self, change: Change | None) -> None:
        if change is not None:
            self._changes.append(change)
        if len(self._changes) > 2 * MAX_CHANGES:
            self._forgotten += MAX_CHANGES
            del self._changes[:MAX_CHANGES]

    def module(self, path: str) -> Module | None:
        """The module in a file, None when it cannot be read."""
        if self.consulted is not None:
            self.consulted.add(path)
        opened = self._open.get(path)
        if opened is not None:
            return opened
        known = self._disk.get(path)
        return known.module if known is not None else self._read(path)

    def resolve(self, importer: Module, name: str, level: int) -> str | Module:
        """What `import name` (or `from ..name import`, with `level` dots) means in `importer`."""
        path = self.locate(importer.path, name, level)
        module = None if path is None else self.module(path)
        return module if module is not None else "." * level + name

    def locate(self, importer: str, name: str, level: int) -> str | None:
        """The file of the project that `import name` means in the file `importer`; None for an external module."""
        key = (os.path.dirname(importer), name, level)
        if key not in self._located:
            external = level == 0 and _is_external(name)
            folders = () if external else self._search_folders(importer, level)
            files = (_module_file(folder, name) for folder in folders)
            self._located[key] = next((file for file in files if file is not None), None)
        return self._located[key]

    def leads_to_pallas(self, path: str, depth: int = MAX_FORWARDS) -> bool:
        """Whether a file mentions Pallas, or imports one that does, `depth` files away at most; it is not parsed."""
        if self.consulted is not None:
            self.consulted.add(path)
        key = (path, depth)
        if key not in self._leading:
            self._leading[key] = False  # an import cycle leads nowhere else
            opened = self._open.get(path)
            data = opened.parsed.source.text.encode("utf-8", "replace") if opened is not None else content_of(path)
            self._leading[key] = b"pallas" in data or (
                depth > 0
                and any(
                    self.leads_to_pallas(target, depth - 1)
                    for imported in imports_in(data)
                    for target in self._files_of(path, imported)
                )
            )
        return self._leading[key]

    def emptied(self) -> Project:
        """A project that knows the same files and which of them import which, and none of what is in them."""
        return Project(
            self.roots,
            _scanned=self._scanned,
            _mentioning=self._mentioning,
            _importers=self._importers,
            _located=self._located,
        )

    @property
    def module_count(self) -> int:
        """How many modules from disk are kept."""
        return len(self._disk)

    def _forget_files(self) -> None:
        """Forgets which imports lead where: a file has come, gone, or imports something else."""
        self._located.clear()
        self._leading.clear()

    def _search_folders(self, importer: str, level: int) -> Iterable[str]:
        if not os.path.isabs(importer):
            return () if level else tuple(map(str, self.roots))
        folder = os.path.dirname(importer)
        if level:
            for _ in range(level - 1):
                folder = os.path.dirname(folder)
            return (folder,)
        return dict.fromkeys((folder, *_package_roots(folder), *map(str, self.roots)))

    def _read(self, path: str) -> Module | None:
        known = self._disk.get(path)
        try:
            status = os.stat(path)
        except (OSError, ValueError):  # ValueError: the name has a NUL character
            if self._disk.pop(path, None) is not None:
                self._log(EVERYTHING)
            return None
        if known is not None and (known.modified, known.size) == (status.st_mtime_ns, status.st_size):
            return known.module
        opened = self._open.get(path)
        if status.st_size > MAX_BYTES:
            return None
        try:
            text = decode(content(path)).text
        except (OSError, UndecodableError):
            return None
        module = self._parsed(path, text, opened, known.module if known is not None else None)
        self._disk[path] = _OnDisk(status.st_mtime_ns, status.st_size, module)
        if known is not None and opened is None:
            self._log(change_between(known.module, module))
        return module

    def _parsed(self, path: str, text: str, *previous: Module | None) -> Module:
        """The module with a text: an earlier version that has it, or parsed with help of the first of them."""
        earlier = [module for module in previous if module is not None]
        same = next((module for module in earlier if module.parsed.source.text == text), None)
        if same is not None:
            return same
        return Module(path, parse_module(SourceText(text), earlier[0].parsed if earlier else None), self)


def _is_external(name: str) -> bool:
    """Whether the API table speaks for a module; JAX's private helpers are looked at when JAX is the project."""
    private = name.startswith("jax._src.pallas.") and name not in CANONICAL_MODULES
    return name.partition(".")[0] in EXTERNAL_PACKAGES and not private


def submodule(package: str, name: str) -> str | None:
    """The file of a module inside a package; its folder if it has no `__init__.py`. The package is given likewise."""
    folder = os.path.dirname(package) if package.endswith("__init__.py") else package
    inner = os.path.join(folder, name)
    return _module_file(folder, name) or (inner if os.path.isdir(inner) else None)


def package_folder(path: str, depth: int) -> str:
    """The folder of the package that a module lies in, `depth` dots below it."""
    folder = path
    for _ in range(depth + path.endswith("__init__.py")):
        folder = os.path.dirname(folder)
    return folder


def _package_roots(folder: str) -> Iterable[str]:
    """The folder above the outermost package that `folder` belongs to: where its absolute imports start."""
    current = folder
    while os.path.isfile(os.path.join(current, "__init__.py")):
        parent = os.path.dirname(current)
        if parent == current:
            break
        current = parent
    return (current,)


def _module_file(folder: str, name: str) -> str | None:
    base = os.path.join(folder, *name.split(".")) if name else folder
    for candidate in (base + ".py", os.path.join(base, "__init__.py")):
        if (name or candidate.endswith("__init__.py")) and os.path.isfile(candidate):
            return candidate
    return None


def change_between(old: Module, new: Module) -> Change | None:
    """What an edit may have given another meaning; None for nothing."""
    if (old.star_imports, old.global_writes, old.attribute_writes) != (
        new.star_imports,
        new.global_writes,
        new.attribute_writes,
    ):
        return EVERYTHING
    names = set(old.changed_in_place ^ new.changed_in_place)
    members: set[str] = set()
    _compare(old.parsed.chunks, new.parsed.chunks, names, members)
    if not names and not members:
        return None
    return Change(frozenset((new.path, name) for name in names), frozenset(members))


def _compare(old: tuple[Chunk, ...], new: tuple[Chunk, ...], names: set[str], members: set[str]) -> None:
    """Collects what the chunks bind in which two sequences differ; inside a class only its members count."""
    start = 0
    shortest = min(len(old), len(new))
    while start < shortest and old[start] is new[start]:
        start += 1
    end = 0
    while end < shortest - start and old[-1 - end] is new[-1 - end]:
        end += 1
    removed, added = old[start : len(old) - end], new[start : len(new) - end]
    if len(removed) == len(added) == 1 and _same_class(removed[0], added[0]):
        _compare(removed[0].members, added[0].members, members, members)
        return
    for chunk in (*removed, *added):
        facts = facts_of(chunk)
        names |= facts.bindings
        members |= facts.attribute_writes | facts.self_writes
        for inner in chunk.members:
            members |= facts_of(inner).bindings


def _same_class(old: Chunk, new: Chunk) -> bool:
    return bool(old.members and new.members) and class_header(old) == class_header(new)


def class_header(chunk: Chunk) -> str:
    """The header of a large class as text that two versions of it share while only members differ."""
    known = chunk.memo.get("header")
    if known is None:
        statement = chunk.statements[0]
        assert isinstance(statement, ast.ClassDef)
        parts = [*statement.decorator_list, *statement.bases, *(keyword.value for keyword in statement.keywords)]
        known = chunk.memo["header"] = "\n".join((statement.name, *map(ast.dump, parts)))
    assert isinstance(known, str)
    return known

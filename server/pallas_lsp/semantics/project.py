"""The modules of the workspace: on disk and in editors, and which file an import means. The state of the analysis."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from pallas_lsp.semantics.facts import ImportedName, facts_of
from pallas_lsp.semantics.jax_api import CANONICAL_MODULES
from pallas_lsp.semantics.workspace import ImportLine, Mention, imports_of, mentions_below
from pallas_lsp.syntax import ParsedModule, parse_module
from pallas_lsp.text import SourceText, UndecodableError, decode

EXTERNAL_PACKAGES = frozenset({"jax", "jaxlib", "numpy", "jax_triton"}) | frozenset(sys.stdlib_module_names)
"""Top-level packages that the API table speaks for; they are not looked for in the workspace."""

MAX_MODULE_BYTES = 8 * 1024 * 1024
"""A larger imported file is not read."""

MAX_IMPORTERS = 32
"""Files that import one file and are followed for the launches of its kernels."""


@dataclass(eq=False)
class Module:
    """One version of one file.

    Args:
      path: as the front gave it; only compared and shown.
      parsed: its syntax.
      project: where its imports are looked up.
    """

    path: str
    parsed: ParsedModule
    project: Project

    @cached_property
    def binding_chunks(self) -> dict[str, list[int]]:
        """For each name, the numbers of the chunks that bind it at module level, in order."""
        found: dict[str, list[int]] = {}
        for index, chunk in enumerate(self.parsed.chunks):
            for name in facts_of(chunk).bindings:
                found.setdefault(name, []).append(index)
        return found

    @cached_property
    def star_imports(self) -> tuple[tuple[str, int], ...]:
        """The modules of `from ... import *`, with their level."""
        return tuple(star for chunk in self.parsed.chunks for star in facts_of(chunk).stars)

    @cached_property
    def global_writes(self) -> frozenset[str]:
        """The names that functions of the module declare `global`."""
        return frozenset().union(*(facts_of(chunk).global_writes for chunk in self.parsed.chunks))

    @cached_property
    def attribute_writes(self) -> frozenset[str]:
        """The attributes that the module sets on other objects than `self`."""
        return frozenset().union(*(facts_of(chunk).attribute_writes for chunk in self.parsed.chunks))

    @cached_property
    def imports(self) -> tuple[ImportedName, ...]:
        """All imports of the module, at any depth."""
        return tuple(imported for chunk in self.parsed.chunks for imported in facts_of(chunk).imports)

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
    """

    roots: tuple[Path, ...] = ()
    _open: dict[str, Module] = field(default_factory=dict)
    _disk: dict[str, _OnDisk] = field(default_factory=dict)
    _mentions: dict[str, dict[str, Mention | None]] = field(default_factory=dict)
    _mentioning: frozenset[str] = frozenset()
    _importers: dict[str, frozenset[str]] = field(default_factory=dict)

    def index(self) -> None:
        """Looks through the roots for files that mention Pallas, so that a kernel is found which another file launches.

        May take seconds in a large workspace the first time; later calls read only what has changed.
        """
        self._mentions = {
            str(root): mentions_below(str(root), self._mentions.get(str(root), {})) for root in self.roots
        }
        importers: dict[str, set[str]] = {}
        mentions = {path: mention for found in self._mentions.values() for path, mention in found.items() if mention}
        stack = list(mentions)
        while stack:
            path = stack.pop()
            imports = mentions[path].imports if path in mentions else imports_of(path)
            for target in {file for imported in imports for file in self._files_of(path, imported)} - {path}:
                if target not in importers and target not in mentions:
                    stack.append(target)
                importers.setdefault(target, set()).add(path)
        self._mentioning = frozenset(mentions)
        self._importers = {path: frozenset(found) for path, found in importers.items()}

    def importers(self, path: str) -> list[Module]:
        """The modules that mention Pallas and import the file, be it through others; known after `index`."""
        seen, found, stack = {path}, list[str](), [path]
        while stack and len(found) < MAX_IMPORTERS:
            for importer in sorted(self._importers.get(stack.pop(), frozenset()) - seen):
                seen.add(importer)
                if importer in self._mentioning:
                    found.append(importer)
                if importer not in self._mentioning or importer.endswith("__init__.py"):
                    stack.append(importer)
        modules = (self.module(importer) for importer in found[:MAX_IMPORTERS])
        return [module for module in modules if module is not None]

    def is_reached(self, path: str) -> bool:
        """Whether a file that mentions Pallas imports this one, directly or through others; after `index`."""
        return path in self._importers

    def _files_of(self, importer: str, imported: ImportLine) -> Iterator[str]:
        """The files of the project that an import may bring in: the module, and those of its names that are modules."""
        if imported.level == 0 and _is_external(imported.module):
            return
        for folder in self._search_folders(importer, imported.level):
            path = _module_file(folder, imported.module)
            if path is None and not imported.names:
                continue
            if path is not None:
                yield path
            base = f"{imported.module}." if imported.module else ""
            inner = [_module_file(folder, base + name) for name in imported.names if name != "*"]
            yield from (file for file in inner if file is not None)
            if path is not None or any(inner):
                return

    def update(self, path: str, text: str) -> Module:
        """Takes a version of a file from an editor; it wins over the disk until `close`."""
        previous = self._open.get(path)
        if previous is not None and previous.parsed.source.text == text:
            return previous
        parsed = parse_module(SourceText(text), previous.parsed if previous is not None else None)
        module = self._open[path] = Module(path, parsed, self)
        return module

    def close(self, path: str) -> None:
        """Forgets the editor's version of a file."""
        self._open.pop(path, None)

    def module(self, path: str) -> Module | None:
        """The module in a file, None when it cannot be read."""
        opened = self._open.get(path)
        return opened if opened is not None else self._read(path)

    def resolve(self, importer: Module, name: str, level: int) -> str | Module:
        """What `import name` (or `from ..name import`, with `level` dots) means in `importer`."""
        if level == 0 and _is_external(name):
            return name
        for folder in self._search_folders(importer.path, level):
            path = _module_file(folder, name)
            if path is not None:
                module = self.module(path)
                if module is not None:
                    return module
        return "." * level + name

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
        try:
            status = os.stat(path)
        except OSError:
            return None
        known = self._disk.get(path)
        if known is not None and (known.modified, known.size) == (status.st_mtime_ns, status.st_size):
            return known.module
        if status.st_size > MAX_MODULE_BYTES:
            return None
        try:
            text = decode(Path(path).read_bytes()).text
        except (OSError, UndecodableError):
            return None
        module = Module(path, parse_module(SourceText(text), known.module.parsed if known else None), self)
        self._disk[path] = _OnDisk(status.st_mtime_ns, status.st_size, module)
        return module


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

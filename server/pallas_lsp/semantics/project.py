"""The modules of the workspace: on disk and in editors, and which file an import means. The state of the analysis."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from pallas_lsp.semantics.facts import ImportedName, facts_of
from pallas_lsp.semantics.jax_api import CANONICAL_MODULES
from pallas_lsp.syntax import ParsedModule, parse_module
from pallas_lsp.text import SourceText, UndecodableError, decode

EXTERNAL_PACKAGES = frozenset({"jax", "jaxlib", "numpy", "jax_triton"}) | frozenset(sys.stdlib_module_names)
"""Top-level packages that the API table speaks for; they are not looked for in the workspace."""

MAX_MODULE_BYTES = 8 * 1024 * 1024
"""A larger imported file is not read."""


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
        for folder in self._search_folders(importer, level):
            path = _module_file(folder, name)
            if path is not None:
                module = self.module(path)
                if module is not None:
                    return module
        return "." * level + name

    def _search_folders(self, importer: Module, level: int) -> Iterable[str]:
        if not os.path.isabs(importer.path):
            return () if level else tuple(map(str, self.roots))
        folder = os.path.dirname(importer.path)
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

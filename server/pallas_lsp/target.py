"""Which JAX release a file is written for, as its project says: locked, required, or installed beside it.

Nothing is imported and nothing is run: the files that say so are read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from pallas_lsp.files import content

RELEASES = (
    *("0.4.31", "0.4.35", "0.4.38", "0.5.0", "0.5.3", "0.6.0", "0.6.2", "0.7.0", "0.7.2", "0.8.0", "0.8.3", "0.9.0"),
    *("0.9.1", "0.9.2", "0.10.0", "0.10.1", "0.10.2", "0.11.0", "0.11.2", "0.12.0"),
)
"""Releases between which the API table tells a difference, oldest first; a range of versions means its newest."""

MAX_BYTES = 16 * 1024 * 1024
"""A larger file of requirements is not read."""

# Blanks are looked for in one line, so that a file of blank lines is read once.
_LOCKED = re.compile(r"""^[ \t]*name[ \t]*=[ \t]*["']jax["']\s*\n[ \t]*version[ \t]*=[ \t]*["']([^"'\n]+)["']""", re.M)
_QUOTED = re.compile(r"""["'](jax(?:\[[\w,\s-]*\])?\s*(?:[=<>!~]=?=?[^"';]*)?)["';]""")
_POETRY = re.compile(r"""^[ \t]*jax[ \t]*=[ \t]*["']([^"'\n]+)["']""", re.M)
_KEYWORDS = re.compile(r"^[ \t]*keywords[ \t]*=[ \t]*\[[^\]\n]*\]", re.M)
_LINE = re.compile(r"^[ \t]*(jax(?:\[[\w, \t-]*\])?[ \t]*(?:[=<>!~]=?=?[^#;\n]*)?)(?:[#;].*)?$", re.M)
_INSTALLED = re.compile(r"^jax-(\d[\w.]*)\.dist-info$")


def target_of(path: str, python: str | None = None) -> str | None:
    """The JAX version for an absolute path; None when nothing says which, which means the newest.

    The nearest folder above the file that says something counts; in it a lock file before requirements, and these
    before what is installed in its `.venv`. Asked for again, it looks only at what may have changed since.

    Args:
      path: of the file; it need not exist.
      python: the absolute path of the interpreter that runs the code, or of the folder of its environment. When it is
        known, what is installed for it counts instead of any `.venv`, and after all files.
    """
    folder = os.path.dirname(path) if os.path.isabs(path) else ""
    while folder:
        sources = _sources_in(folder, _modified(folder))
        for file, read in sources.files:
            version = _cached(file, _modified(file), read)
            if version is not None:
                return version
        for packages in sources.packages if python is None else ():
            version = _installed_in(packages, _modified(packages))
            if version is not None:
                return version
        parent = os.path.dirname(folder)
        folder = "" if sources.is_root or parent == folder else parent
    if python is None:
        return None
    # Links stay as they are: those of a virtual environment lead out of it.
    environment = python if os.path.isdir(python) else os.path.dirname(os.path.dirname(python))
    versions = (_installed_in(packages, _modified(packages)) for packages in _packages_in(environment))
    return next(filter(None, versions), None)


def releases_of(path: str, python: str | None = None) -> tuple[str, ...]:
    """The JAX releases that a file must work with: all that its project allows; empty when nothing says which.

    The nearest folder above the file that says something counts, and what any of its files allows. Only when no file
    says anything does what is installed count.

    Args:
      path: of the file; it need not exist.
      python: as for `target_of`.
    """
    folder = os.path.dirname(path) if os.path.isabs(path) else ""
    while folder:
        sources = _sources_in(folder, _modified(folder))
        allowed: set[str] = set()
        for file, read in sources.files:
            requirements = _REQUIREMENTS.get(read)
            version = None if requirements is not None else _cached(file, _modified(file), read)
            allowed.update((version,) if version is not None else ())
            allowed.update(_cached_releases(file, _modified(file), requirements) if requirements is not None else ())
        if allowed:
            return tuple(sorted(allowed))
        parent = os.path.dirname(folder)
        folder = "" if sources.is_root or parent == folder else parent
    version = target_of(path, python)
    return () if version is None else (version,)


def _modified(path: str) -> int:
    try:
        return os.stat(path).st_mtime_ns
    except (OSError, ValueError):  # ValueError: the name has a NUL character
        return 0


class _Sources(NamedTuple):
    """What in a folder may say it: files and how to read them, folders of installed packages; and where to stop."""

    files: tuple[tuple[str, Callable[[str], str | None]], ...]
    packages: tuple[str, ...]
    is_root: bool


@lru_cache(maxsize=1024)
def _sources_in(folder: str, modified: int) -> _Sources:
    try:
        names = set(os.listdir(folder))
    except (OSError, ValueError):
        return _Sources((), (), is_root=False)
    files = tuple((os.path.join(folder, name), read) for name, read in _SOURCES.items() if name in names)
    environments = (os.path.join(folder, name) for name in (".venv", "venv") if name in names)
    packages = (found for environment in environments for found in _packages_in(environment))
    return _Sources(files, tuple(packages), ".git" in names)


def _packages_in(environment: str) -> list[str]:
    """The folders in which a Python environment keeps what is installed."""
    patterns = ("lib/python3*/site-packages", "lib/python3*/dist-packages", "Lib/site-packages")
    return [str(found) for pattern in patterns for found in sorted(Path(environment).glob(pattern))]


@lru_cache(maxsize=256)
def _cached(path: str, modified: int, read: Callable[[str], str | None]) -> str | None:
    try:
        return read(content(path, MAX_BYTES).decode("utf-8", "replace").replace("\r\n", "\n"))
    except OSError:
        return None


@lru_cache(maxsize=256)
def _cached_releases(path: str, modified: int, requirements: Callable[[str], list[str]]) -> tuple[str, ...]:
    """What the requirements in a file allow together; nothing when none of them names a version."""
    try:
        found = requirements(content(path, MAX_BYTES).decode("utf-8", "replace").replace("\r\n", "\n"))
    except OSError:
        return ()
    each = [_allowed(requirement) for requirement in found]
    if all(allowed is None for allowed in each):
        return ()
    return tuple({version for allowed in each for version in (RELEASES if allowed is None else allowed)})


def _from_lock(text: str) -> str | None:
    found = _LOCKED.search(text)
    return found.group(1) if found is not None else None


def _from_project(text: str) -> str | None:
    return next(filter(None, map(_newest_allowed, _required_by_project(text))), None)


def _required_by_project(text: str) -> list[str]:
    poetry = _POETRY.search(text)
    requirements = [found.group(1) for found in _QUOTED.finditer(_KEYWORDS.sub("", text))]
    if poetry is not None:
        requirements.append("jax" + _as_specifier(poetry.group(1)))
    return requirements


def _as_specifier(constraint: str) -> str:
    """Poetry's `^0.9` is `~=0.9.0` in the words of everybody else, a bare version is an exact one."""
    if constraint.startswith(("^", "~")) and not constraint.startswith("~="):
        version = constraint.lstrip("^~")
        return f"~={version}" if version.count(".") > 1 else f"~={version}.0"
    return constraint if constraint[:1] in "=<>!~" else f"=={constraint}"


def _from_lines(text: str) -> str | None:
    return next(filter(None, map(_newest_allowed, _required_by_lines(text))), None)


def _required_by_lines(text: str) -> list[str]:
    return [found.group(1) for found in _LINE.finditer(text)]


def _allowed(requirement: str) -> tuple[str, ...] | None:
    """The releases that a requirement allows, or the version that it names; None when it says nothing of versions."""
    from packaging.requirements import InvalidRequirement, Requirement

    try:
        specifier = Requirement(requirement.strip()).specifier
    except InvalidRequirement:
        return RELEASES
    exact = [one.version for one in specifier if one.operator == "==" and not one.version.endswith("*")]
    if exact:
        return (exact[0],)
    return tuple(specifier.filter(RELEASES)) or RELEASES if specifier else None


def _newest_allowed(requirement: str) -> str | None:
    """The newest release that a requirement allows; the version itself when it names one; None for any version."""
    from packaging.requirements import InvalidRequirement, Requirement

    try:
        specifier = Requirement(requirement.strip()).specifier
    except InvalidRequirement:
        return None
    exact = [one.version for one in specifier if one.operator == "==" and not one.version.endswith("*")]
    if exact:
        return exact[0]
    allowed = list(specifier.filter(RELEASES))
    return allowed[-1] if allowed and allowed[-1] != RELEASES[-1] else None


@lru_cache(maxsize=256)
def _installed_in(environment: str, modified: int) -> str | None:
    try:
        found = (_INSTALLED.search(name) for name in sorted(os.listdir(environment)))
    except OSError:
        return None
    return next((version.group(1) for version in found if version is not None), None)


_SOURCES: dict[str, Callable[[str], str | None]] = {
    "uv.lock": _from_lock,
    "poetry.lock": _from_lock,
    "pdm.lock": _from_lock,
    "pyproject.toml": _from_project,
    "requirements.txt": _from_lines,
    "requirements.in": _from_lines,
    "requirements-dev.txt": _from_lines,
}
"""The files that say it, the surest first."""

_REQUIREMENTS: dict[Callable[[str], str | None], Callable[[str], list[str]]] = {
    _from_project: _required_by_project,
    _from_lines: _required_by_lines,
}
"""How the requirements are found in those files that may allow several versions."""

PROJECT_FILES = tuple(_SOURCES)
"""The names of the files that a project says it in."""

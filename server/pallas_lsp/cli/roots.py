"""The folders in which the files of one program are looked for."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

MARKERS = ("pyproject.toml", "setup.py", "setup.cfg", "pallas-lsp.toml", ".pallas-lsp.toml", ".git")
"""What stands in the top folder of a project."""


def project_roots(paths: Iterable[str]) -> tuple[Path, ...]:
    """For each path the nearest folder with a marker, at it or above; without one, the path itself if it is a folder.

    A file on its own has no root: nobody wants its neighbours read because they happen to lie beside it.
    """
    found: dict[Path, None] = {}
    for path in (Path(path).resolve() for path in paths):
        root = next(filter(_is_marked, (path, *path.parents)), path if path.is_dir() else None)
        if root is not None:
            found[root] = None
    return tuple(found)


def _is_marked(folder: Path) -> bool:
    return any((folder / name).exists() for name in MARKERS)

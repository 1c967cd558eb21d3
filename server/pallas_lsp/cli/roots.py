"""The folders in which the files of one program are looked for."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

MARKERS = ("pyproject.toml", "setup.py", "setup.cfg", "pallas-lsp.toml", ".pallas-lsp.toml", ".git")
"""What stands in the top folder of a project."""


def project_roots(paths: Iterable[str]) -> tuple[Path, ...]:
    """For each path the nearest folder with a marker, at it or above; without one, the path itself if it is a folder.

    A file on its own has no root: nobody wants its neighbours read because they happen to lie beside it.
    """
    found: dict[Path, None] = {}
    for path in (Path(os.path.realpath(path)) for path in paths):
        root = next(filter(_is_marked, (path, *path.parents)), path if os.path.isdir(path) else None)  # noqa: PTH112
        if root is not None:
            found[root] = None
    return tuple(found)


def _is_marked(folder: Path) -> bool:
    # Unlike `Path.exists`, this does not raise where the folder must not be looked into.
    return any(os.path.exists(folder / name) for name in MARKERS)  # noqa: PTH110

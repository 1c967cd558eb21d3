"""Functions with a source: programs written to files and imported."""

from __future__ import annotations

import importlib.util
import linecache
import sys
import types
from pathlib import Path


def load(folder: Path, text: str, name: str = "program") -> types.ModuleType:
    """The module of a program, imported from a file in `folder`."""
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    linecache.checkcache(str(path))
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    finally:
        del sys.modules[name]
    return module

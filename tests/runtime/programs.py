"""Functions with a source: programs written to files and imported."""

from __future__ import annotations

import importlib.util
import linecache
import os
import subprocess
import sys
import types
from pathlib import Path

import pallas_lsp


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


def output_of(folder: Path, *arguments: str, **environment: str) -> str:
    """What Python prints, run in a folder with some arguments."""
    command = [sys.executable, *arguments]
    server = str(Path(pallas_lsp.__file__).parents[1])
    path = os.pathsep.join([str(folder), server])
    variables = {**os.environ, "JAX_PLATFORMS": "cpu", "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=folder, env=variables | environment, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr

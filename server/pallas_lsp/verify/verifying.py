"""From a file to what came of running its kernels: what both fronts share."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

from pallas_lsp.config import Settings
from pallas_lsp.outline import outline
from pallas_lsp.semantics.project import Project
from pallas_lsp.verify.planning import Plan, plan_for, root_of
from pallas_lsp.verify.running import Limits, Problem, Verification, verify


class UnknownKernel(Exception):
    """A file launches no kernel of that name; the message says which there are."""


def planned(
    text: str, path: str, settings: Settings, project: Project, kernel: str | None = None
) -> Plan | Verification:
    """What to run to have the kernels that a file launches run; or why nothing can be.

    Args:
      text: of the file; what is on disk, or what an editor has.
      path: of the file, absolute.
      settings: of the file.
      project: the modules around it.
      kernel: only launches of this kernel; None for all.

    Raises:
      UnknownKernel: there is none of that name.
    """
    found = outline(text, settings, path=path, project=project)
    try:
        plan = plan_for(text, path, found, kernel, project.roots)
    except SyntaxError as error:
        return Verification(problems=(Problem((error.lineno or 1) - 1, f"SyntaxError: {error.msg}"),))
    if plan.launches:
        return plan
    if kernel is None:
        return Verification(failure="no kernel is launched in this file")
    names = sorted({launch.kernel_name for launch in found.launches})
    raise UnknownKernel(f"no kernel `{kernel}` is launched; there is {', '.join(names) or 'none at all'}")


def verified(
    plan: Plan | Verification,
    text: str,
    path: str,
    settings: Settings,
    *,
    python: str | None = None,
    limits: Limits | None = None,
    observe: Callable[[str], object] = lambda message: None,
) -> Verification:
    """Runs a plan for a file, in a process of its own.

    Args:
      plan: what `planned` gave for the same text, path and settings.
      text, path, settings: as there.
      python: the interpreter; None for that of the settings or the project, see `interpreter_for`.
      limits: of the process.
      observe: is told now and then what happens; what it raises ends the process.
    """
    if isinstance(plan, Verification):
        return plan
    try:
        is_saved = Path(path).read_text(encoding="utf-8") == text
    except (OSError, UnicodeDecodeError):
        is_saved = False
    return verify(
        plan,
        path,
        root=root_of(path),
        python=python or interpreter_for(path, settings),
        source=None if is_saved else text,
        limits=limits,
        observe=observe,
    )


def interpreter_for(path: str, settings: Settings) -> str:
    """The interpreter that runs a file: that of the settings, of an environment around the file, or this one."""
    if settings.python is not None:
        return _python_in(Path(settings.python)) or settings.python
    for folder in Path(path).parents:
        for name in (".venv", "venv"):
            python = _python_in(folder / name)
            if python is not None:
                return python
    return sys.executable


def _python_in(environment: Path) -> str | None:
    relative = ("Scripts", "python.exe") if os.name == "nt" else ("bin", "python")
    python = environment.joinpath(*relative)
    return str(python) if python.is_file() else None

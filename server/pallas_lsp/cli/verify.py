"""`pallas-lsp verify`: runs kernels in interpret mode."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import click

from pallas_lsp.cli.console import Console, Failure, Verbosity, palette_of, progress_on
from pallas_lsp.cli.files import absolute, read, shown_path
from pallas_lsp.cli.formats.shared import count
from pallas_lsp.cli.roots import project_roots
from pallas_lsp.config import settings_for
from pallas_lsp.semantics.project import Project
from pallas_lsp.text import UndecodableError, decode
from pallas_lsp.verify.running import MEMORY, TIMEOUT, Limits, Verification
from pallas_lsp.verify.verifying import UnknownKernel, planned, verified


@click.command("verify")
@click.argument("targets", nargs=-1, required=True, metavar="FILE[::KERNEL]...")
@click.option("--python", metavar="PATH", help="The interpreter, instead of the project's.")
@click.option(
    "--timeout",
    metavar="SECONDS",
    type=click.FloatRange(min=0, min_open=True),
    default=TIMEOUT,
    show_default=True,
    help="How long a file may take.",
)
@click.option(
    "--memory",
    metavar="MB",
    type=click.IntRange(0),
    default=MEMORY,
    show_default=True,
    help="How much memory its process may have; 0 for no limit.",
)
@click.option(
    "--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True, help="How to report."
)
def command(targets: tuple[str, ...], python: str | None, timeout: float, memory: int, output_format: str) -> int:
    """Run the kernels that files launch, in interpret mode on the CPU, and report what JAX says.

    This imports your code, in a process of its own. A function is called with the inputs that a comment above it gives,
    `# pallas: example(f32[8,128], 3)`, that jaxtyping annotations say, or by tests without parameters that use it.

    Exits with 0 when all that could be run ran well, 1 when something failed, 2 when nothing could be run.
    """
    limits = Limits(timeout, memory)
    files = []
    with progress_on(sys.stderr, Verbosity.DEFAULT) as progress:
        console = Console(sys.stdout.buffer, Verbosity.DEFAULT, palette_of(sys.stdout, "auto"), progress)
        for target in targets:
            progress.begin("Running kernels:")
            name, _, kernel = target.partition("::")
            files.append(_File(shown_path(absolute(name)), _verified(absolute(name), kernel or None, python, limits)))
        console.write(_FORMATS[output_format](files))
    if any(file.found.failure or file.found.problems for file in files):
        failed_alone = all(not file.found.problems and not file.found.ran for file in files)
        return 2 if failed_alone else 1
    return 0 if any(file.found.ran for file in files) else 2


class _File(NamedTuple):
    """A file as it is shown, and what came of it."""

    shown: str
    found: Verification


def _verified(path: str, kernel: str | None, python: str | None, limits: Limits) -> Verification:
    """Runs the kernels of a file.

    Raises:
      Failure: the file, the kernel or the interpreter cannot be used.
    """
    shown = shown_path(path)
    if path.endswith(".ipynb"):
        raise Failure(f"{shown}: notebooks are not run; their cells run where they are edited")
    try:
        text = decode(read(path)).text
    except OSError as error:
        raise Failure(f"{shown}: cannot be read: {error.strerror}") from None
    except UndecodableError as error:
        raise Failure(f"{shown}: cannot be read: {error}") from None
    interpreter = None if python is None else os.path.abspath(python) if os.sep in python else python  # noqa: PTH100
    try:
        plan = planned(text, path, settings_for(path), Project(project_roots([path])), kernel)
    except UnknownKernel as error:
        raise Failure(f"{shown}: {error}") from None
    return verified(plan, text, path, settings_for(path), python=interpreter, limits=limits)


def _as_text(files: list[_File]) -> str:
    lines = []
    for file in files:
        if file.found.failure:
            lines.append(f"{file.shown}: {file.found.failure}")
        lines += [f"{file.shown}:{one.line + 1}: {one.message}" for one in file.found.problems]
        lines += [
            f"{file.shown}:{one.line + 1}: {one.kernel} ran, outputs {', '.join(one.outputs) or 'none'}"
            for one in file.found.ran
        ]
        lines += [f"{file.shown}:{one.line + 1}: {one.kernel} was not run: {one.reason}" for one in file.found.skipped]
    numbers = (
        count(sum(len(file.found.ran) for file in files), "launch ran", "launches ran"),
        count(sum(len(file.found.problems) for file in files), "problem", "problems"),
        f"{sum(len(file.found.skipped) for file in files)} not run",
    )
    return "\n".join((*lines, f"{', '.join(numbers)}.")) + "\n"


def _as_json(files: list[_File]) -> str:
    return json.dumps([_file_as_json(file) for file in files], indent=2) + "\n"


def _file_as_json(file: _File) -> dict[str, Any]:
    found = file.found
    return {
        "path": file.shown,
        "failure": found.failure or None,
        "problems": [{"line": one.line + 1, "message": one.message} for one in found.problems],
        "ran": [{"line": one.line + 1, "kernel": one.kernel, "outputs": list(one.outputs)} for one in found.ran],
        "skipped": [{"line": one.line + 1, "kernel": one.kernel, "reason": one.reason} for one in found.skipped],
    }


_FORMATS: dict[str, Callable[[list[_File]], str]] = {"text": _as_text, "json": _as_json}

"""`pallas-lsp kernels`: a map of a code base: where kernels are launched, and what their parameters are."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import click

from pallas_lsp.cli.console import Console, Verbosity, palette_of, progress_on
from pallas_lsp.cli.files import Search, read, shown_path
from pallas_lsp.cli.formats.shared import count
from pallas_lsp.cli.results import row_and_column_of
from pallas_lsp.cli.roots import project_roots
from pallas_lsp.cli.run import may_hold_kernel
from pallas_lsp.config import settings_for
from pallas_lsp.findings import Position, Range
from pallas_lsp.notebooks.cells import join
from pallas_lsp.notebooks.file import Notebook, NotebookError
from pallas_lsp.notebooks.markdown import SUFFIXES, join_blocks
from pallas_lsp.outline import Kernel, Launch, Outline, Parameter, Place, outline
from pallas_lsp.semantics.project import Project
from pallas_lsp.text import UndecodableError, decode


@click.command("kernels")
@click.argument("paths", nargs=-1, metavar="[PATHS]...", type=click.Path())
@click.option(
    "--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True, help="How to show them."
)
def command(paths: tuple[str, ...], output_format: str) -> int:
    """List the kernels of files and folders (default: the current one), and where they are launched.

    For each kernel its parameters: what they are to the launch, and the dtype, block shape and memory space where these
    are known. For each launch its grid and outputs. Lines and columns count from 1.

    Exits with 0, and with 2 when a file cannot be read.
    """
    paths = paths or (".",)
    failures: list[str] = []
    with progress_on(sys.stderr, Verbosity.DEFAULT) as progress:
        console = Console(sys.stdout.buffer, Verbosity.DEFAULT, palette_of(sys.stdout, "auto"), progress)

        def fail(message: str) -> None:
            failures.append(message)
            console.error(message)

        project = Project(project_roots(paths))
        project.index()
        connected = frozenset(project.candidates)
        targets = list(Search(settings_for, console.warning, fail).targets(paths))
        progress.begin("Looking for kernels:", len(targets))
        files = []
        for target in targets:
            progress.advance()
            try:
                data = read(target.path)
                worth_it = may_hold_kernel(data) or target.path in connected
                program = _program_of(data, target.path) if worth_it else None
            except (OSError, UndecodableError) as error:
                reason = error.strerror if isinstance(error, OSError) else error
                fail(f"{shown_path(target.path)}: cannot be read: {reason}")
                continue
            if program is not None:
                found = outline(program.text, target.settings, path=target.path, project=project)
                project.close(target.path)
                if found.kernels or found.launches:
                    files.append(_File(shown_path(target.path), program, found))
        console.write(_FORMATS[output_format](files))
    return 2 if failures else 0


class _Program(NamedTuple):
    """The Python of a file, and where it stands there.

    Args:
      text: of the module, or of all cells or blocks.
      locate: gives the 0-based cell of a range, None in a file without cells, and the range in it.
    """

    text: str
    locate: Callable[[Range], tuple[int | None, Range]]


def _program_of(data: bytes, path: str) -> _Program:
    """Reads a module, a notebook or a Markdown document.

    Raises:
      UndecodableError: it is none.
    """
    if path.endswith(".ipynb"):
        try:
            joined = join(Notebook.of(data).sources)
        except NotebookError as error:
            raise UndecodableError(str(error)) from None
        return _Program(joined.text, joined.locate)
    text = decode(data).text
    if path.endswith(SUFFIXES):
        blocks = join_blocks(text)
        return _Program(blocks.text, lambda range: (None, blocks.locate(range)[1]))
    return _Program(text, lambda range: (None, range))


class _File(NamedTuple):
    """A file with kernels or launches."""

    shown: str
    program: _Program
    outline: Outline

    def place(self, place: Place | Range) -> tuple[str, int | None, Position]:
        """The file, the 0-based cell and the start of a place."""
        if isinstance(place, Place) and place.path is not None:
            return shown_path(place.path), None, place.range.start
        cell, inner = self.program.locate(place.range if isinstance(place, Place) else place)
        return self.shown, cell, inner.start

    def in_words(self, place: Place | Range) -> str:
        """A place as people read it."""
        shown, cell, start = self.place(place)
        return f"{shown}:{row_and_column_of(cell, start)}"

    def as_json(self, place: Place | Range) -> dict[str, Any]:
        """A place for programs."""
        shown, cell, start = self.place(place)
        cells = {} if cell is None else {"cell": cell + 1}
        return {"path": shown, **cells, "line": start.line + 1, "column": start.character + 1}


def _as_text(files: list[_File]) -> str:
    kernels = [line for file in files for kernel in file.outline.kernels for line in _kernel_lines(file, kernel)]
    others = [
        f"{file.in_words(launch.entry)}: {_launch_line(launch)}, {_whereabouts(file, launch)}"
        for file in files
        for launch in file.outline.launches
        if launch.kernel is None or launch.kernel.path is not None
    ]
    numbers = (
        count(sum(len(file.outline.kernels) for file in files), "kernel", "kernels"),
        count(sum(len(file.outline.launches) for file in files), "launch", "launches"),
        count(len(files), "file", "files"),
    )
    return "\n".join((*kernels, *others, f"{numbers[0]}, {numbers[1]} in {numbers[2]}.")) + "\n"


def _kernel_lines(file: _File, kernel: Kernel) -> Iterator[str]:
    yield f"{file.in_words(kernel.name_range)}: kernel {kernel.name}"
    for launch in kernel.launches:
        yield f"    {file.in_words(launch.entry)}: {_launch_line(launch)}"
        width = max((len(parameter.name) for parameter in launch.parameters), default=0)
        for parameter in launch.parameters:
            yield f"        {parameter.name.ljust(width)}  {_parameter_line(parameter)}"


def _launch_line(launch: Launch) -> str:
    grid = [f"grid {' '.join(launch.grid.split())}"] if launch.grid else []
    outputs = [] if launch.outputs is None else [f"outputs {', '.join(one or '?' for one in launch.outputs) or 'none'}"]
    return ", ".join((f"{launch.entry_name} of {launch.kernel_name}", *grid, *outputs))


def _whereabouts(file: _File, launch: Launch) -> str:
    return "not in view" if launch.kernel is None else f"see {file.in_words(launch.kernel)}"


def _parameter_line(parameter: Parameter) -> str:
    if parameter.references > 1:
        return f"{parameter.references} Refs"
    space = f"in {parameter.memory_space}" if parameter.memory_space else ""
    return " ".join(part for part in (f"{parameter.role.value} {parameter.index}", parameter.type, space) if part)


def _as_json(files: list[_File]) -> str:
    kernels = [
        {
            "name": kernel.name,
            **file.as_json(kernel.name_range),
            "launches": [_launch_as_json(file, launch) for launch in kernel.launches],
        }
        for file in files
        for kernel in file.outline.kernels
    ]
    launches = [_launch_as_json(file, launch) for file in files for launch in file.outline.launches]
    return json.dumps({"kernels": kernels, "launches": launches}, indent=2) + "\n"


def _launch_as_json(file: _File, launch: Launch) -> dict[str, Any]:
    return {
        "function": launch.entry_name,
        **file.as_json(launch.entry),
        "kernel": launch.kernel_name,
        "defined": None if launch.kernel is None else file.as_json(launch.kernel),
        "grid": " ".join(launch.grid.split()) or None,
        "outputs": None if launch.outputs is None else list(launch.outputs),
        "parameters": [
            {
                "name": parameter.name,
                "role": parameter.role.value,
                "index": parameter.index,
                "references": parameter.references,
                "dtype": parameter.dtype or None,
                "shape": parameter.shape or None,
                "memory-space": parameter.memory_space or None,
            }
            for parameter in launch.parameters
        ],
    }


_FORMATS: dict[str, Callable[[list[_File]], str]] = {"text": _as_text, "json": _as_json}

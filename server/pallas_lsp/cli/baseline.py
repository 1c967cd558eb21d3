"""`pallas-lsp baseline`: takes today's findings as known, so that only new ones are reported."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from pallas_lsp.cli.baselines import FILE_NAME, baseline_of, write_baseline
from pallas_lsp.cli.console import Console, Failure, Verbosity, palette_of, progress_on
from pallas_lsp.cli.formats.shared import count
from pallas_lsp.cli.run import Mode, Run
from pallas_lsp.config import settings_for


@click.command("baseline")
@click.argument("paths", nargs=-1, metavar="[PATHS]...", type=click.Path())
@click.option(
    "-o",
    "--output-file",
    metavar="FILE",
    type=click.Path(),
    help=f"Where to write, instead of {FILE_NAME} in the project.",
)
def command(paths: tuple[str, ...], output_file: str | None) -> int:
    """Write down the findings of today: `check` does not report them again, only new ones.

    Checks the paths (default: the current folder) as `check` does.
    """
    paths = paths or (".",)
    file = Path(output_file).resolve() if output_file else baseline_of(paths)
    if file is None:
        raise Failure("the paths belong to no project; say with --output-file where to write")
    with progress_on(sys.stderr, Verbosity.DEFAULT) as progress:
        console = Console(sys.stdout.buffer, Verbosity.DEFAULT, palette_of(sys.stdout, "auto"), progress)
        run = Run(console, Mode.REPORT, settings_for, caches=True)
        results = run.check_files(paths)
    written = write_baseline(file, results)
    console.note(f"Wrote {count(written, 'finding', 'findings')} to {file}.")
    return 2 if run.failed else 0

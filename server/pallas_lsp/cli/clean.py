"""`pallas-lsp clean`: throws away what `check` has kept."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

from pallas_lsp.cli.cache import FOLDER_NAME
from pallas_lsp.cli.console import Failure
from pallas_lsp.cli.roots import project_roots


@click.command("clean")
@click.argument("paths", nargs=-1, metavar="[PATHS]...", type=click.Path())
def command(paths: tuple[str, ...]) -> None:
    """Delete the caches of the projects that the paths (default: the current folder) belong to."""
    for path in paths:
        if not Path(path).exists():
            raise Failure(f"{path}: no such file or folder")
    for folder in (root / FOLDER_NAME for root in project_roots(paths or (".",))):
        if folder.is_dir():
            try:
                shutil.rmtree(folder)
            except OSError as error:
                raise Failure(f"{folder}: cannot be deleted: {error.strerror}") from None
            click.echo(f"deleted {folder}")

"""`pallas-lsp version`."""

from __future__ import annotations

import json
import sys

import click

from pallas_lsp import __version__


@click.command("version")
@click.option(
    "--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True, help="How to show it."
)
def command(output_format: str) -> None:
    """Print the version."""
    if output_format == "json":
        python = ".".join(map(str, sys.version_info[:3]))
        click.echo(json.dumps({"version": __version__, "python": python}))
    else:
        click.echo(f"pallas-lsp {__version__}")

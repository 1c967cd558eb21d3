"""`pallas-lsp config`: what can be set."""

from __future__ import annotations

import difflib
import json

import click

from pallas_lsp.cli.completion import setting_completion
from pallas_lsp.cli.console import Failure
from pallas_lsp.config import OPTIONS, Option


@click.command("config")
@click.argument("key", required=False, shell_complete=setting_completion)
@click.option(
    "--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True, help="How to show it."
)
def command(key: str | None, output_format: str) -> None:
    """List the settings, or explain one: what it does, its form, its default and an example."""
    options = OPTIONS if key is None else (_option(key),)
    if output_format == "json":
        entries = {option.key: _as_json(option) for option in options}
        click.echo(json.dumps(entries if key is None else entries[options[0].key], indent=2))
    elif key is None:
        click.echo("\n".join(option.key for option in options))
    else:
        click.echo(_as_text(options[0]), nl=False)


def _option(key: str) -> Option:
    """The setting of a name.

    Raises:
      Failure: there is none.
    """
    by_key = {option.key: option for option in OPTIONS}
    if key not in by_key:
        nearest = difflib.get_close_matches(key, by_key, n=1)
        hint = f"; did you mean `{nearest[0]}`?" if nearest else ""
        raise Failure(f"there is no setting `{key}`{hint}")
    return by_key[key]


def _as_text(option: Option) -> str:
    only = "\nOnly in settings files.\n" if option.only_in_files else ""
    example = "".join(f"    {line}\n" for line in option.example.splitlines())
    return (
        f"{option.key}\n\n{click.wrap_text(option.documentation, 100)}\n\nForm: {option.form}\n"
        f"Default: {option.default}\n{only}\nExample:\n\n{example}"
    )


def _as_json(option: Option) -> dict[str, object]:
    return {
        "documentation": option.documentation,
        "form": option.form,
        "default": option.default,
        "example": option.example,
        "only-in-files": option.only_in_files,
    }

"""Writes the tables in docs/configuration.md and docs/command-line.md from the options themselves: `make docs`."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from pallas_lsp.cli.formats import FORMATS
from pallas_lsp.cli.main import commands
from pallas_lsp.config import OPTIONS

DOCS = Path(__file__).parent.parent / "docs"


def settings_reference() -> str:
    """Every setting: what it does, its form, its default and an example."""
    parts = []
    for option in OPTIONS:
        facts = [f"- Form: {option.form}", f"- Default: {_as_code(option.default)}"]
        if option.only_in_files:
            facts.append("- Only in settings files")
        rows = [f"### {option.key}", "", option.documentation, "", *facts, "", "```toml", option.example, "```", ""]
        parts.append("\n".join(rows) + "\n")
    return "\n" + "".join(parts)


def commands_reference() -> str:
    """Every command with its arguments and options."""
    context = click.Context(commands, info_name="pallas-lsp")
    parts = []
    for name in commands.list_commands(context):
        command = commands.get_command(context, name)
        assert command is not None
        usage = " ".join(command.collect_usage_pieces(click.Context(command, info_name=name)))
        head = [f"## {name}", "", "```", f"pallas-lsp {name} {usage}", "```", "", _unwrapped(command.help or "")]
        rows = list(_option_rows(command))
        options = ["", "| Option | Meaning |", "| --- | --- |", *rows] if rows else []
        parts.append("\n".join((*head, *options)) + "\n")
    return "\n" + "\n".join(parts) + "\n"


def _option_rows(command: click.Command) -> Iterator[str]:
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            names = ", ".join(f"`{name}`" for name in (*parameter.opts, *parameter.secondary_opts))
            if not parameter.is_flag:
                choices = getattr(parameter.type, "choices", ())
                names += f" `{parameter.metavar or '|'.join(choices)}`"
            default = f" Default: `{parameter.default}`." if parameter.show_default else ""
            yield f"| {names.replace('|', chr(92) + '|')} | {parameter.help or ''}{default} |"


def formats_reference() -> str:
    """Every output format."""
    rows = ["", "| Format | What it is |", "| --- | --- |"]
    return "\n".join((*rows, *(f"| `{name}` | {entry.documentation} |" for name, entry in FORMATS.items()))) + "\n\n"


def _as_code(text: str) -> str:
    return f"`{text}`" if re.fullmatch(r"\[.*\]|\{.*\}|true|false", text) else text


def _unwrapped(text: str) -> str:
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.split("\n\n"))


SECTIONS = {
    ("configuration.md", "settings"): settings_reference,
    ("command-line.md", "commands"): commands_reference,
    ("command-line.md", "formats"): formats_reference,
}
"""The generated parts: the file, the name in its `<!-- name -->` and `<!-- end of name -->`, and what writes it."""


def generated() -> dict[Path, str]:
    """The text of every file with generated parts, by path."""
    texts: dict[Path, str] = {}
    for (file, name), write in SECTIONS.items():
        path = DOCS / file
        text = texts.get(path) or path.read_text(encoding="utf-8")
        part = re.compile(f"(?<=<!-- {name} -->\n).*(?=<!-- end of {name} -->)", re.DOTALL)
        texts[path] = part.sub(lambda _, write=write: write(), text)
    return texts


def main() -> int:
    """Writes all files."""
    for path, text in generated().items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

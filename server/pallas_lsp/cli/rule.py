"""`pallas-lsp rule`: the page of a rule."""

from __future__ import annotations

import difflib
import json
import re

import click

from pallas_lsp.cli.completion import rule_completion
from pallas_lsp.cli.console import Failure
from pallas_lsp.rules.base import Rule
from pallas_lsp.rules.pages import page_of, summary_of
from pallas_lsp.rules.registry import RULES


@click.command("rule")
@click.argument("word", metavar="[CODE|NAME]", required=False, shell_complete=rule_completion)
@click.option("--all", "every", is_flag=True, help="Show the pages of all rules.")
@click.option(
    "--output-format",
    type=click.Choice(["text", "markdown", "json"]),
    default="text",
    show_default=True,
    help="How to show it.",
)
def command(word: str | None, every: bool, output_format: str) -> None:
    """Explain a rule: what it finds, what JAX says, an example and its fixed form."""
    if every == (word is not None):
        raise click.UsageError("expected the code or name of a rule, or --all")
    rules = RULES if word is None else (_rule_named(word),)
    if output_format == "json":
        entries = [_as_json(rule) for rule in rules]
        click.echo(json.dumps(entries if every else entries[0], indent=2))
        return
    show = page_of if output_format == "markdown" else _as_text
    click.echo("\n".join(show(rule) for rule in rules), nl=False)


def _rule_named(word: str) -> type[Rule]:
    """The rule with a code or a slug; case does not matter.

    Raises:
      Failure: there is none.
    """
    by_word = {known.lower(): rule for rule in RULES for known in (rule.code, rule.name)}
    rule = by_word.get(word.lower())
    if rule is None:
        nearest = difflib.get_close_matches(word.lower(), by_word, n=1, cutoff=0.5)
        hint = f"; did you mean `{by_word[nearest[0]].code}` ({by_word[nearest[0]].name})?" if nearest else ""
        raise Failure(f"there is no rule `{word}`{hint}")
    return rule


def _as_text(rule: type[Rule]) -> str:
    """The page without the marks of Markdown: headings as they are, code indented."""
    rows = []
    in_code = False
    for row in page_of(rule).splitlines():
        if row.startswith("```"):
            in_code = not in_code
        elif in_code:
            rows.append(f"    {row}".rstrip())
        else:
            rows.append(re.sub(r"^#+ ", "", row))
    return "\n".join(rows) + "\n"


def _as_json(rule: type[Rule]) -> dict[str, object]:
    return {
        "name": rule.name,
        "code": rule.code,
        "summary": summary_of(rule),
        "severity": rule.severity.value,
        "default": rule.default,
        "explanation": page_of(rule),
    }

"""What the shell offers when the user asks it to complete a word."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from pallas_lsp.config import OPTIONS, RULE_NAMES
from pallas_lsp.target import RELEASES

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


def _rules() -> Iterable[tuple[str, str]]:
    yield from RULE_NAMES.items()
    yield from ((name, code) for code, name in RULE_NAMES.items())


def rule_completion(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Codes and names of rules."""
    return _matching(_rules(), begun)


def rules_completion(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """The last of several rules, separated by commas, and ALL."""
    before, comma, last = begun.rpartition(",")
    return _matching((*_rules(), ("ALL", "every rule")), last, before + comma)


def setting_completion(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """The keys of settings."""
    return _matching(((option.key, option.documentation.partition(". ")[0]) for option in OPTIONS), begun)


def config_completion(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """The keys of settings with the `=` behind them, and files."""
    from click.shell_completion import CompletionItem

    keys = _matching(((f"{option.key}=", "") for option in OPTIONS), begun) if begun else []
    return keys or [CompletionItem(begun, type="file")]


def release_completion(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """The releases of JAX that make a difference."""
    return _matching(((release, "") for release in RELEASES), begun)


def _matching(known: Iterable[tuple[str, str]], begun: str, before: str = "") -> list[CompletionItem]:
    """The words, each with its explanation, that start as the user has begun, in any case."""
    from click.shell_completion import CompletionItem

    return [
        CompletionItem(before + word, help=explanation or None)
        for word, explanation in known
        if word.lower().startswith(begun.lower())
    ]

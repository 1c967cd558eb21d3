"""The pages of the rules, which are their docstrings."""

from __future__ import annotations

import difflib
import inspect

from pallas_lsp.cli.console import Failure
from pallas_lsp.rules.base import Rule
from pallas_lsp.rules.registry import RULES


def rule_named(word: str) -> type[Rule]:
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


def page_of(rule: type[Rule]) -> str:
    """The page of a rule in Markdown."""
    state = "on" if rule.default else "off"
    about = f"Severity: {rule.severity.value}. It is {state} by default."
    return f"# {rule.name} ({rule.code})\n\n{about}\n\n{_docstring(rule)}\n"


def summary_of(rule: type[Rule]) -> str:
    """The first paragraph of a rule's page, in one line."""
    return " ".join(_docstring(rule).partition("\n\n")[0].split())


def _docstring(rule: type[Rule]) -> str:
    return inspect.cleandoc(rule.__doc__ or "")

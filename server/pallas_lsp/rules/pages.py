"""The pages of the rules, which are their docstrings, and where they are on the web. Importing this is cheap."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pallas_lsp.rules.base import Rule

_PAGES = "https://pallas-lsp.readthedocs.io/en/latest/rules"


def page_url(name: str) -> str:
    """Where the page of a rule is, given its slug."""
    return f"{_PAGES}/{name}/"


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

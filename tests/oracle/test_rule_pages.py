"""The page of every rule is true: the rule fires on the example, JAX says what is quoted and runs the fixed text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pallas_lsp.check import check
from pallas_lsp.config import Settings
from pallas_lsp.rules.base import Rule
from pallas_lsp.rules.pages import page_of
from pallas_lsp.rules.registry import RULES
from tests.oracle.harness import Outcome, execute

TARGET = "0.10.2"
"""The JAX release that the pages are about."""


def block(page: str, heading: str) -> str | None:
    """The code block under a heading; None if there is only prose."""
    section = page.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    found = re.search(r"^```\w*\n(.*?)^```$", section, re.DOTALL | re.MULTILINE)
    return found and found[1]


def codes(rule: type[Rule], text: str | None) -> set[str]:
    assert text is not None
    return {finding.code for finding in check(text, Settings(select=(rule.code,), target_jax=TARGET)).findings}


def outcome_of(folder: Path, text: str | None) -> Outcome:
    assert text is not None
    program = folder / "kernel.py"
    program.write_text(text, encoding="utf-8")
    return execute(program)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_rule_fires_on_the_example_and_not_on_the_fixed_text(rule: type[Rule]) -> None:
    page = page_of(rule)
    assert codes(rule, block(page, "Example")) == {rule.code}
    assert codes(rule, block(page, "Fixed")) == set()


@pytest.mark.jax
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_jax_says_about_the_example_what_the_page_quotes(rule: type[Rule], tmp_path: Path) -> None:
    page = page_of(rule)
    message = outcome_of(tmp_path, block(page, "Example")).message
    quoted = block(page, "What JAX says")
    if quoted is None:
        assert message == ""
    else:
        assert " ".join(quoted.split()) in " ".join(message.replace(f"{tmp_path}/", "").split())


@pytest.mark.jax
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_jax_runs_the_fixed_text(rule: type[Rule], tmp_path: Path) -> None:
    assert outcome_of(tmp_path, block(page_of(rule), "Fixed")).message == ""

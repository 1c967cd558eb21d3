"""The checker says about every program what its header says; it reads the text and never runs JAX."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pallas_lsp.check import check
from pallas_lsp.config import DEFAULT
from tests.oracle.harness import RULES, Case, name_of, programs


def all_findings(text: str, path: str) -> list[str]:
    """The findings of all rules, as `line: code message` with 1-based lines."""
    report = check(text, DEFAULT, path=path)
    return [f"{f.range.start.line + 1}: {f.code} {f.message}" for f in report.findings]


def findings(text: str, path: str) -> list[str]:
    """The findings of the rules about returned values."""
    return [found for found in all_findings(text, path) if found.split()[1] in RULES]


@pytest.mark.parametrize("case", programs("cases"), ids=name_of)
def test_checker_agrees_with_the_header(case: Case, record_property: Callable[[str, object], None]) -> None:
    record_property("oracle", f"lint {case.lint}")
    found = findings(case.text, str(case.path))
    if case.lint == "report":
        assert found
    elif case.lint == "silent":
        assert found == []


@pytest.mark.parametrize("case", programs("fixed"), ids=name_of)
def test_checker_is_silent_on_golden_rewrites(case: Case, record_property: Callable[[str, object], None]) -> None:
    record_property("oracle", "lint golden rewrite")
    assert all_findings(case.text, str(case.path)) == []


@pytest.mark.parametrize("case", [case for case in programs("cases") if case.sibling], ids=name_of)
def test_another_rule_reports_the_mistake(case: Case) -> None:
    found = all_findings(case.text, str(case.path))
    assert case.sibling in {one.split()[1] for one in found}


@pytest.mark.parametrize(
    "case", [case for case in programs("cases") if case.expect == "ok" and not case.sibling], ids=name_of
)
def test_no_other_rule_reports_what_works(case: Case) -> None:
    assert [one for one in all_findings(case.text, str(case.path)) if one.split()[1] not in RULES] == []

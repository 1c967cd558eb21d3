"""JUnit XML: a suite for each file with findings, a failed case for each finding."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.sax.saxutils import quoteattr

from pallas_lsp.cli.console import Palette
from pallas_lsp.cli.formats.shared import TOOL, lines, message_in_file, place, range_in_file
from pallas_lsp.cli.results import Result, Violation

# What XML 1.0 (section 2.2) cannot hold, not even escaped.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(results: Sequence[Result], palette: Palette) -> str:
    """Writes the findings of all files; one passed case when there are none, for readers that want at least one."""
    suites = [row for result in results if result.violations for row in _suite(result)]
    total = sum(len(result.violations) for result in results)
    if not suites:
        suites = [
            f'  <testsuite name="{TOOL}" tests="1" failures="0" errors="0" skipped="0">',
            f'    <testcase name="No errors found" classname="{TOOL}"/>',
            "  </testsuite>",
        ]
    return lines(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            f'<testsuites name="{TOOL}" tests="{total or 1}" failures="{total}" errors="0">',
            *suites,
            "</testsuites>",
        ]
    )


def _suite(result: Result) -> list[str]:
    number = len(result.violations)
    name = _attribute(result.path)
    rows = [f'  <testsuite name={name} tests="{number}" failures="{number}" errors="0" skipped="0">']
    for violation in result.violations:
        rows += _case(result, violation)
    return [*rows, "  </testsuite>"]


def _case(result: Result, violation: Violation) -> list[str]:
    finding = violation.finding
    row, column = place(range_in_file(finding).start)
    name = _attribute(f"{TOOL}.{finding.code}")
    classname = _attribute(result.path.removesuffix(".py"))
    message = message_in_file(finding)
    where = f"line {row}, col {column}, {message}"
    return [
        f'    <testcase name={name} classname={classname} line="{row}" column="{column}">',
        f"      <failure message={_attribute(message)} type={_attribute(finding.severity.value)}>"
        f"{_escaped(where)}</failure>",
        "    </testcase>",
    ]


def _attribute(text: str) -> str:
    return quoteattr(_FORBIDDEN.sub("\ufffd", text))


def _escaped(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")

"""What is said at the end: how much was found, fixed, and could be fixed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pallas_lsp.cli.console import Palette
from pallas_lsp.cli.formats.shared import all_violations, count, lines
from pallas_lsp.cli.results import Result


def closing_lines(results: Sequence[Result], palette: Palette, *, complete: bool) -> str:
    """The lines below a report for people; the words are ruff's. Only a `complete` check can have passed."""
    left = sum(len(result.violations) for result in results)
    fixed = sum(len(result.fixed) for result in results)
    if not left and not fixed:
        return "All checks passed!\n" if complete else ""
    fixable, hidden = _fixable(results)
    rows = [f"Found {count(left, 'error', 'errors')}."]
    if fixed:
        rows = [f"Found {count(left + fixed, 'error', 'errors')} ({fixed} fixed, {left} remaining)."]
    more = f"{count(hidden, 'hidden fix', 'hidden fixes')} can be enabled with the `--unsafe-fixes` option"
    if fixable:
        tail = f" ({more})" if hidden else ""
        rows.append(f"[{palette.cyan('*')}] {fixable} fixable with the `--fix` option{tail}.")
    elif hidden:
        rows.append(f"No fixes available ({more}).")
    return lines(rows)


def fixing_line(results: Sequence[Result], verb: str) -> str:
    """What was fixed, or would be; `verb` is `Fixed` or `Would fix`."""
    fixed = sum(len(result.fixed) for result in results)
    _, hidden = _fixable(results)
    more = f" ({count(hidden, 'additional fix', 'additional fixes')} available with `--unsafe-fixes`)" if hidden else ""
    return f"{verb} {count(fixed, 'error', 'errors')}{more}."


def statistics(results: Sequence[Result], output_format: str, palette: Palette) -> str:
    """How many findings each rule has, most first; JSON for the formats that are JSON."""
    found = Counter((each.finding.code, each.finding.name) for _, each in all_violations(results))
    fixable = Counter(each.finding.code for _, each in all_violations(results) if each.fixable)
    ordered = sorted(found.items(), key=lambda entry: (-entry[1], entry[0]))
    if output_format.startswith("json"):
        entries = [
            {"code": code, "name": name, "count": number, "fixable": fixable[code] > 0, "fixable_count": fixable[code]}
            for (code, name), number in ordered
        ]
        import json

        return json.dumps(entries, indent=2) + "\n"
    width = len(str(ordered[0][1])) if ordered else 0
    rows = []
    for (code, name), number in ordered:
        mark = {0: " ", number: "*"}.get(fixable[code], "-")
        rows.append(f"{number:>{width}}\t{palette.red(code)}\t[{palette.cyan(mark)}] {name}")
    return lines(rows)


def _fixable(results: Sequence[Result]) -> tuple[int, int]:
    """How many violations `--fix` would mend, and how many more with `--unsafe-fixes`."""
    violations = [violation for _, violation in all_violations(results)]
    fixable = sum(violation.fixable for violation in violations)
    return fixable, sum(violation.fix is not None for violation in violations) - fixable

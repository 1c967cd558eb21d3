"""Baselines: findings that were there when a project began to be checked, and are not reported again.

A finding is known by its file, its rule and the text of its first line, so that it stays known while code around it
comes and goes. Of several alike as many are known as there were.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePath
from typing import Any, NamedTuple

from pallas_lsp.cli.console import Failure
from pallas_lsp.cli.results import Result, Violation, cell_of
from pallas_lsp.cli.roots import project_roots
from pallas_lsp.files import content

FILE_NAME = ".pallas-lsp-baseline.json"
"""The baseline in the top folder of a project, which is used without being named."""

_VERSION = 1


class _Known(NamedTuple):
    path: str
    code: str
    text: str


def baseline_of(paths: Iterable[str]) -> Path | None:
    """The file of the baseline of the project that paths belong to, be it there or not; None without a project."""
    roots = project_roots(paths)
    return roots[0] / FILE_NAME if roots else None


def write_baseline(file: Path, results: Iterable[Result]) -> int:
    """Writes the findings of results to a file; how many they are.

    Raises:
      Failure: the file cannot be written.
    """
    counts = Counter(_known(file, result, violation) for result in results for violation in result.violations)
    entries = [{**known._asdict(), "count": count} for known, count in sorted(counts.items())]
    try:
        file.write_text(json.dumps({"version": _VERSION, "findings": entries}, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise Failure(f"{file}: cannot be written: {error.strerror}") from None
    return sum(counts.values())


def without_known(file: Path, results: Sequence[Result]) -> tuple[list[Result], int]:
    """The results without the findings that a baseline knows, and how many these are.

    Raises:
      Failure: the file cannot be read, or is no baseline.
    """
    left = _read(file)
    hidden = 0
    kept = []
    for result in results:
        violations = []
        for violation in result.violations:
            known = _known(file, result, violation)
            if left[known] > 0:
                left[known] -= 1
                hidden += 1
            else:
                violations.append(violation)
        kept.append(result._replace(violations=tuple(violations)))
    return kept, hidden


def _known(file: Path, result: Result, violation: Violation) -> _Known:
    finding = violation.finding
    text = result.source(cell_of(finding)).line(finding.range.start.line).strip()
    path = PurePath(result.path)
    folder = file.parent
    shown = path.relative_to(folder) if path.is_relative_to(folder) else path
    return _Known(shown.as_posix(), finding.code, text)


def _read(file: Path) -> Counter[_Known]:
    try:
        stored: Any = json.loads(content(str(file)))
    except OSError as error:
        raise Failure(f"{file}: cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise Failure(f"{file}: is no baseline: {error}") from None
    match stored:
        case {"version": 1, "findings": [*entries]}:
            pass
        case _:
            raise Failure(f'{file}: is no baseline: expected {{"version": {_VERSION}, "findings": [...]}}')
    found: Counter[_Known] = Counter()
    for entry in entries:
        match entry:
            case {"path": str(path), "code": str(code), "text": str(text), "count": int(count)}:
                found[_Known(path, code, text)] += count
            case _:
                raise Failure(f"{file}: is no baseline: {json.dumps(entry)} is no finding")
    return found

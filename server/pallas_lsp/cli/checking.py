"""From the contents of a file to what is said about it: pure, whatever the contents were read from."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pallas_lsp.check import check
from pallas_lsp.config import Settings
from pallas_lsp.findings import Applicability, Finding, Fix, Notice
from pallas_lsp.text import SourceText


@dataclass(frozen=True, slots=True)
class Violation:
    """A finding, and what `--fix` could do about it.

    Args:
      finding: what was found.
      fix: the way to mend it that `--fix` takes, or would take with `--unsafe-fixes`.
      fixable: whether `--fix` takes it with the settings at hand.
      obstacle: why there is no fix; empty when there is one, or nothing is known.
    """

    finding: Finding
    fix: Fix | None
    fixable: bool
    obstacle: str


@dataclass(frozen=True, slots=True)
class Result:
    """What a command says about one file.

    Args:
      path: absolute; `-` for standard input without a name.
      shown: the path as people read it, relative to the current folder where it is in it.
      original: the text before fixing.
      source: the text after fixing, which the violations are about.
      violations: in the order of the text.
      notices: what was not analysed.
      fixed: what was mended, or would be.
    """

    path: str
    shown: str
    original: str
    source: SourceText
    violations: tuple[Violation, ...]
    notices: tuple[Notice, ...]
    fixed: tuple[tuple[Finding, Fix], ...] = ()


def may_hold_kernel(data: bytes) -> bool:
    """Whether a file is worth decoding: the cheap question that most files of a project answer with no."""
    return b"pallas" in data


def examine(text: str, settings: Settings, *, path: str, shown: str) -> Result:
    """Checks a text."""
    report = check(text, settings, path=path)
    violations = tuple(_violation(finding, settings.unsafe_fixes) for finding in report.findings)
    return Result(path, shown, text, SourceText(text), violations, report.notices)


def fix_and_examine(text: str, settings: Settings, *, path: str, shown: str) -> Result:
    """Mends what may be mended, and checks what came out."""
    from pallas_lsp.fixing import fix_all

    fixed = fix_all(text, settings, path=path, project=None, unsafe=settings.unsafe_fixes)
    result = examine(fixed.text, settings, path=path, shown=shown)
    return replace(result, original=text, fixed=fixed.applied)


def _violation(finding: Finding, unsafe: bool) -> Violation:
    fixes = finding.fixes()
    by_applicability = {fix.applicability: fix for fix in reversed(fixes)}
    fix = by_applicability.get(Applicability.SAFE) or by_applicability.get(Applicability.UNSAFE)
    fixable = fix is not None and (unsafe or fix.applicability is Applicability.SAFE)
    obstacle = by_applicability.get(Applicability.NONE)
    return Violation(finding, fix, fixable, obstacle.reason if obstacle and fix is None else "")

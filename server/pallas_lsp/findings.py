"""What a check says: findings, where they are, and how to fix them.

Plain data between the analysis and its two fronts (`lsp/` and `cli/`). Lines and characters are 0-based; a character
is a Unicode code point of the line, so `str` slicing needs no conversion. `text.SourceText` turns them into the
encoding that a client asks for.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field


class Severity(enum.Enum):
    """How bad a finding is; the names are LSP's (3.17, DiagnosticSeverity)."""

    ERROR = "error"
    WARNING = "warning"
    INFORMATION = "information"
    HINT = "hint"


class Applicability(enum.Enum):
    """Whether a fix may be applied without a look.

    SAFE keeps the meaning of the program, given that the returned value has the output's shape and dtype.
    UNSAFE is right in most cases; its `reason` says what to check. NONE is no fix: its `reason` says why there is none.
    """

    SAFE = "safe"
    UNSAFE = "unsafe"
    NONE = "none"


class Tag(enum.Enum):
    """How an editor may render a finding besides its severity (LSP 3.17, DiagnosticTag)."""

    UNNECESSARY = "unnecessary"
    DEPRECATED = "deprecated"


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A place between two characters: `line` and `character` are 0-based, `character` counts code points."""

    line: int
    character: int


@dataclass(frozen=True, slots=True, order=True)
class Range:
    """From `start` up to, and not including, `end`."""

    start: Position
    end: Position

    def touches(self, other: Range) -> bool:
        """Whether the two share a character or meet at an end."""
        return self.start <= other.end and other.start <= self.end


@dataclass(frozen=True, slots=True)
class Edit:
    """Replaces the text of `range` by `new_text`; an empty range inserts."""

    range: Range
    new_text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """One way to mend a finding.

    Args:
      title: what the action does, as a menu entry.
      edits: in the finding's file, sorted and disjoint; empty exactly when `applicability` is NONE.
      applicability: see `Applicability`.
      reason: for UNSAFE what to check, for NONE why nothing can be done; empty for SAFE.
    """

    title: str
    edits: tuple[Edit, ...]
    applicability: Applicability
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that belongs to a finding. `path` is None for the finding's own file."""

    range: Range
    message: str
    path: str | None = None


def _no_fixes() -> tuple[Fix, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class Finding:
    """A mistake at a place.

    Args:
      code: of the rule, such as `PAL001`.
      name: the rule's slug, such as `returning-kernel`.
      message: one sentence or two, without the code.
      severity: after configuration.
      range: what to underline.
      related: other places, such as the launch.
      tags: rendering hints.
      group: findings of one kernel share it; empty when there is no kernel. "Fix all in this kernel" uses it.
      make_fixes: computes the fixes; the preferred one first. Called only when somebody asks, may take milliseconds.
    """

    code: str
    name: str
    message: str
    severity: Severity
    range: Range
    related: tuple[Related, ...] = ()
    tags: tuple[Tag, ...] = ()
    group: str = ""
    make_fixes: Callable[[], tuple[Fix, ...]] = field(default=_no_fixes, compare=False, repr=False)

    def fixes(self) -> tuple[Fix, ...]:
        """The ways to mend this, preferred first; entries with applicability NONE carry the reason instead."""
        return self.make_fixes()


@dataclass(frozen=True, slots=True)
class Notice:
    """A part of a file that could not be read as it is; not a mistake of the user's program.

    Args:
      range: where.
      message: why, and what became of it.
      skipped: whether so much was left out that mistakes may go unnoticed; else it was mended, or is one statement.
    """

    range: Range
    message: str
    skipped: bool = False


@dataclass(frozen=True, slots=True)
class Crash:
    """A rule that could not be checked because of a mistake in the rule itself.

    Args:
      code: of the rule.
      name: the rule's slug.
      error: what it raised.
    """

    code: str
    name: str
    error: Exception


@dataclass(frozen=True, slots=True)
class Report:
    """All that a check of one file says.

    Args:
      findings: in the order of the text.
      notices: what was skipped.
      kernels: how many functions of the file are launched as kernels.
      crashes: the rules whose findings are missing.
    """

    findings: tuple[Finding, ...] = ()
    notices: tuple[Notice, ...] = ()
    kernels: int = 0
    crashes: tuple[Crash, ...] = ()


def in_text_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Sorts by place, then code: the order in which every front shows findings."""
    return tuple(sorted(findings, key=lambda finding: (finding.range, finding.code, finding.message)))

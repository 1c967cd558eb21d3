"""Applies the fixes of many findings at once, to a fixed point."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pallas_lsp.check import check
from pallas_lsp.config import DEFAULT, Settings
from pallas_lsp.findings import Applicability, Edit, Finding, Fix
from pallas_lsp.semantics.project import Project
from pallas_lsp.text import SourceText

MAX_ROUNDS = 20
"""A fix may bring up the next finding; after so many rounds what is left is left."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """A text after fixing, and what was applied, in the order of the text and round by round."""

    text: str
    applied: tuple[tuple[Finding, Fix], ...]


def fix_all(
    text: str,
    settings: Settings = DEFAULT,
    *,
    path: str = "",
    project: Project | None = None,
    unsafe: bool = False,
    codes: frozenset[str] | None = None,
    group: str | None = None,
) -> Fixed:
    """Applies the preferred fix of every finding, again and again until nothing changes.

    Args:
      text: the whole file.
      settings: as for `check`.
      path: as for `check`.
      project: as for `check`; it ends up with the last version that was checked.
      unsafe: whether unsafe fixes are applied, too.
      codes: only findings of these rules; None for all.
      group: only findings of this kernel; None for all. Fixes move code, so one round only.

    Returns:
      The new text; the same one when nothing can be fixed.
    """
    project = project if project is not None else Project()
    applied: list[tuple[Finding, Fix]] = []
    for _ in range(1 if group is not None else MAX_ROUNDS):
        report = check(text, settings, path=path, project=project)
        wanted = [
            finding
            for finding in report.findings
            if (codes is None or finding.code in codes) and (group is None or finding.group == group)
        ]
        chosen = compatible((finding, fix) for finding in wanted if (fix := preferred(finding, unsafe)) is not None)
        edits = merged(fix for _, fix in chosen)
        new_text = SourceText(text).replaced(edits)
        if new_text == text:
            break
        applied += chosen
        text = new_text
    return Fixed(text, tuple(applied))


def preferred(finding: Finding, unsafe: bool) -> Fix | None:
    """The fix to apply unseen: the first safe one, or the first at all where unsafe ones are wanted."""
    allowed = {Applicability.SAFE, Applicability.UNSAFE} if unsafe else {Applicability.SAFE}
    return next((fix for fix in finding.fixes() if fix.applicability in allowed), None)


def compatible(pairs: Iterable[tuple[Finding, Fix]]) -> list[tuple[Finding, Fix]]:
    """The fixes that can be applied together, earlier ones first; the same edit twice is one edit."""
    taken: list[Edit] = []
    chosen: list[tuple[Finding, Fix]] = []
    for finding, fix in pairs:
        new = [edit for edit in fix.edits if edit not in taken]
        if not any(_conflict(edit, other) for edit in new for other in taken):
            taken += new
            chosen.append((finding, fix))
    return chosen


def merged(fixes: Iterable[Fix]) -> tuple[Edit, ...]:
    """The edits of compatible fixes, sorted and disjoint."""
    edits = dict.fromkeys(edit for fix in fixes for edit in fix.edits)
    return tuple(sorted(edits, key=lambda edit: edit.range))


def _conflict(one: Edit, other: Edit) -> bool:
    """Whether two edits touch the same text, or insert at the same place."""
    if one.range == other.range:
        return True
    return one.range.start < other.range.end and other.range.start < one.range.end

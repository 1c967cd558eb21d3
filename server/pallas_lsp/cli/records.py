"""Results as plain data: for the cache, and for the way from one process to another."""

from __future__ import annotations

from typing import Any, TypeAlias

from pallas_lsp.cli.results import Result, Violation, cell_of
from pallas_lsp.findings import Applicability, Edit, Finding, Fix, Notice, Position, Range, Related, Severity, Tag
from pallas_lsp.text import SourceText

Record: TypeAlias = list[Any]
"""What `record_of` makes: lists, strings, numbers and None, which JSON can write."""


def record_of(result: Result) -> Record | None:
    """A result without the texts that it is about, and without what was mended; None when there is nothing to say."""
    if not result.violations and not result.notices:
        return None
    notices = [[_range(one.range), one.message, one.skipped, cell_of(one)] for one in result.notices]
    return [[_violation(violation) for violation in result.violations], notices]


def result_of(record: Record | None, path: str, shown: str, sources: tuple[SourceText, ...]) -> Result:
    """The result that a record was made of.

    Args:
      record: as `record_of` made it.
      path: of the file, absolute.
      shown: the path as people read it.
      sources: the texts that it is about; not needed for a result that says nothing.
    """
    violations, notices = record or ([], [])
    return Result(
        path,
        shown,
        path.endswith(".ipynb"),
        sources,
        sources,
        tuple(_read_violation(one) for one in violations),
        tuple(
            _placed(cell, Notice, (_read_range(place), message, skipped)) for place, message, skipped, cell in notices
        ),
    )


def _violation(violation: Violation) -> Record:
    finding = violation.finding
    return [
        *(finding.code, finding.name, finding.message, finding.severity.value, _range(finding.range)),
        [[_range(one.range), one.message, one.path, cell_of(one)] for one in finding.related],
        [tag.value for tag in finding.tags],
        *(finding.group, cell_of(finding), _fix(violation.fix), violation.fixable, violation.obstacle),
    ]


def _read_violation(record: Record) -> Violation:
    code, name, message, severity, place, related, tags, group, cell, fix, fixable, obstacle = record
    known = (code, name, message, Severity(severity), _read_range(place))
    others = tuple(_read_related(one, in_cell=cell is not None) for one in related)
    finding = _placed(cell, Finding, (*known, others, tuple(map(Tag, tags)), group))
    return Violation(finding, _read_fix(fix), fixable, obstacle)


def _read_related(record: Record, *, in_cell: bool) -> Related:
    place, message, path, cell = record
    arguments = (_read_range(place), message, path)
    if not in_cell:
        return Related(*arguments)
    from pallas_lsp.notebooks.checking import CellRelated

    return CellRelated(*arguments, cell=cell)


def _fix(fix: Fix | None) -> Record | None:
    if fix is None:
        return None
    edits = [[_range(edit.range), edit.new_text, cell_of(edit)] for edit in fix.edits]
    return [fix.title, edits, fix.applicability.value, fix.reason]


def _read_fix(record: Record | None) -> Fix | None:
    if record is None:
        return None
    title, edits, applicability, reason = record
    read = tuple(_placed(cell, Edit, (_read_range(place), new_text)) for place, new_text, cell in edits)
    return Fix(title, read, Applicability(applicability), reason)


def _placed(cell: int | None, kind: Any, arguments: tuple[Any, ...]) -> Any:
    """An object of a kind, or of the kind that stands for it in notebooks."""
    if cell is None:
        return kind(*arguments)
    from pallas_lsp.notebooks.checking import CellEdit, CellFinding, CellNotice

    return {Edit: CellEdit, Finding: CellFinding, Notice: CellNotice}[kind](*arguments, cell=cell)


def _range(range: Range) -> list[int]:
    return [range.start.line, range.start.character, range.end.line, range.end.character]


def _read_range(record: list[int]) -> Range:
    line, character, end_line, end_character = record
    return Range(Position(line, character), Position(end_line, end_character))

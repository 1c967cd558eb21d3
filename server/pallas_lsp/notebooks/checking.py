"""Checks and mends notebooks: what `check` and `fixing` do for a module, cell by cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pallas_lsp.check import check
from pallas_lsp.config import DEFAULT, Settings
from pallas_lsp.findings import Crash, Edit, Finding, Fix, Notice, Related, Report
from pallas_lsp.fixing import MAX_ROUNDS, compatible, merged, preferred
from pallas_lsp.notebooks.cells import Joined, admitted, join
from pallas_lsp.notebooks.markdown import MarkdownBlocks, join_blocks
from pallas_lsp.semantics.project import Project
from pallas_lsp.text import SourceText


@dataclass(frozen=True, slots=True, kw_only=True)
class CellFinding(Finding):
    """A finding whose range is in a cell; its related places are `CellRelated`, the edits of its fixes `CellEdit`."""

    cell: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CellRelated(Related):
    """A related place; in a cell of the same notebook unless it has a path."""

    cell: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CellEdit(Edit):
    """An edit of one cell."""

    cell: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CellNotice(Notice):
    """A part of a cell that could not be read as it is."""

    cell: int


@dataclass(frozen=True, slots=True)
class NotebookReport:
    """All that a check of one notebook says, in the order of its cells; `crashes` as in `Report`."""

    findings: tuple[CellFinding, ...] = ()
    notices: tuple[CellNotice, ...] = ()
    crashes: tuple[Crash, ...] = ()


@dataclass(frozen=True, slots=True)
class FixedNotebook:
    """The cells after fixing, and what was applied, round by round.

    Args:
      cells: as given, with those changed that fixes were in.
      applied: with places in the cells as they were before each round.
    """

    cells: tuple[str | None, ...]
    applied: tuple[tuple[Finding, Fix], ...]


def check_joined(
    joined: Joined, settings: Settings = DEFAULT, *, path: str = "", project: Project | None = None
) -> Report:
    """Checks the cells of a notebook, which are one module.

    Args:
      joined: the cells.
      settings: as for `check`.
      path: of the notebook; as for `check`.
      project: as for `check`.

    Returns:
      What `check` says, with places in the module. A fix that the cells do not admit is none, and says why.
    """
    report = check(joined.text, settings, path=path, project=project)
    notices = tuple(notice for notice in report.notices if joined.cell_at(notice.range.start.line) is not None)
    findings = tuple(_guarded(finding, joined) for finding in report.findings)
    return replace(report, findings=findings, notices=notices)


def check_notebook(
    cells: Sequence[str | None], settings: Settings = DEFAULT, *, path: str = "", project: Project | None = None
) -> NotebookReport:
    """Checks the cells of a notebook, and says of each place which cell it is in.

    Args:
      cells: their texts; None for a cell that is not Python code.
      settings: as for `check`.
      path: of the notebook; as for `check`.
      project: as for `check`.
    """
    joined = join(cells)
    report = check_joined(joined, settings, path=path, project=project)
    located = ((notice, *joined.locate(notice.range)) for notice in report.notices)
    return NotebookReport(
        tuple(_in_cell(finding, joined) for finding in report.findings),
        tuple(CellNotice(range, notice.message, notice.skipped, cell=cell) for notice, cell, range in located),
        report.crashes,
    )


def fix_joined(
    joined: Joined,
    settings: Settings = DEFAULT,
    *,
    path: str = "",
    project: Project | None = None,
    unsafe: bool = False,
    codes: frozenset[str] | None = None,
    group: str | None = None,
) -> FixedNotebook:
    """Applies fixes as `fix_all` does. Each stays in its cells: no code moves from one to another.

    Args:
      joined: the cells.
      settings: as for `check`.
      path: of the notebook; as for `check`.
      project: as for `check`; it ends up with the last version that was checked.
      unsafe: as for `fix_all`.
      codes: as for `fix_all`.
      group: as for `fix_all`.
    """
    project = project if project is not None else Project()
    texts = joined.cells
    applied: list[tuple[Finding, Fix]] = []
    for _ in range(1 if group is not None else MAX_ROUNDS):
        joined = joined.rejoin(texts)
        findings = check_joined(joined, settings, path=path, project=project).findings
        wanted = [
            finding
            for finding in findings
            if (codes is None or finding.code in codes) and (group is None or finding.group == group)
        ]
        chosen = compatible((finding, fix) for finding in wanted if (fix := preferred(finding, unsafe)) is not None)
        changes = joined.edits_by_cell(merged(fix for _, fix in chosen))
        changed = tuple(
            SourceText(text).replaced(changes[cell]) if text is not None and cell in changes else text
            for cell, text in enumerate(texts)
        )
        if changed == texts:
            break
        if isinstance(joined, MarkdownBlocks):
            applied += ((_in_document(finding, joined), _fix_in_document(fix, joined)) for finding, fix in chosen)
        else:
            applied += ((_in_cell(finding, joined), _fix_in_cells(fix, joined)) for finding, fix in chosen)
        texts = changed
    return FixedNotebook(texts, tuple(applied))


def check_document(
    document: str, settings: Settings = DEFAULT, *, path: str = "", project: Project | None = None
) -> Report:
    """Checks the Python blocks of a Markdown document, which are one module; places are in the document.

    Args:
      document: the text.
      settings: as for `check`.
      path: of the document; as for `check`.
      project: as for `check`.
    """
    blocks = join_blocks(document)
    report = check_joined(blocks, settings, path=path, project=project)
    notices = (replace(notice, range=blocks.locate(notice.range)[1]) for notice in report.notices)
    findings = (_in_document(finding, blocks) for finding in report.findings)
    return replace(report, findings=tuple(findings), notices=tuple(notices))


def _in_document(finding: Finding, blocks: MarkdownBlocks) -> Finding:
    related = (
        place if place.path is not None else replace(place, range=blocks.locate(place.range)[1])
        for place in finding.related
    )
    return replace(
        finding,
        range=blocks.locate(finding.range)[1],
        related=tuple(related),
        make_fixes=lambda: tuple(_fix_in_document(fix, blocks) for fix in finding.fixes()),
    )


def _fix_in_document(fix: Fix, blocks: MarkdownBlocks) -> Fix:
    return replace(fix, edits=blocks.edits_by_cell(fix.edits).get(0, ()))


def _guarded(finding: Finding, joined: Joined) -> Finding:
    return replace(finding, make_fixes=lambda: tuple(admitted(joined, fix) for fix in finding.fixes()))


def _in_cell(finding: Finding, joined: Joined) -> CellFinding:
    cell, range = joined.locate(finding.range)
    return CellFinding(
        finding.code,
        finding.name,
        finding.message,
        finding.severity,
        range,
        tuple(_related_in_cell(related, joined) for related in finding.related),
        finding.tags,
        finding.group,
        lambda: tuple(_fix_in_cells(fix, joined) for fix in finding.fixes()),
        cell=cell,
    )


def _related_in_cell(related: Related, joined: Joined) -> CellRelated:
    if related.path is not None:
        return CellRelated(related.range, related.message, related.path, cell=None)
    cell, range = joined.locate(related.range)
    return CellRelated(range, related.message, cell=cell)


def _fix_in_cells(fix: Fix, joined: Joined) -> Fix:
    changes = joined.edits_by_cell(fix.edits)
    edits = (CellEdit(edit.range, edit.new_text, cell=cell) for cell, placed in changes.items() for edit in placed)
    return replace(fix, edits=tuple(edits))

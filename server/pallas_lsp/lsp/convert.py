"""Findings and positions as LSP has them. The only place that counts in a client's encoding."""

from __future__ import annotations

from collections.abc import Mapping

from lsprotocol import types

from pallas_lsp.findings import Finding, Notice, Position, Range, Related, Severity, Tag
from pallas_lsp.lsp.capabilities import SERVER_NAME, Client
from pallas_lsp.lsp.documents import Part, Unit
from pallas_lsp.rules.pages import page_url
from pallas_lsp.text import PositionEncoding, SourceText
from pallas_lsp.verify.running import Problem

_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFORMATION: types.DiagnosticSeverity.Information,
    Severity.HINT: types.DiagnosticSeverity.Hint,
}

_TAGS = {Tag.UNNECESSARY: types.DiagnosticTag.Unnecessary, Tag.DEPRECATED: types.DiagnosticTag.Deprecated}


def to_client_range(text: SourceText, range: Range, encoding: PositionEncoding) -> types.Range:
    """A range of `text` in a client's columns."""
    return types.Range(*(types.Position(place.line, text.units(place, encoding)) for place in (range.start, range.end)))


def from_client_range(text: SourceText, range: types.Range, encoding: PositionEncoding) -> Range:
    """A client's range in code points of `text`: clamped, and never reversed."""
    return Range(*sorted(text.from_units(place.line, place.character, encoding) for place in (range.start, range.end)))


def in_unit(part: Part, range: Range) -> Range:
    """A range of a document as a range of the unit that it is part of."""
    if part.blocks is not None:
        return part.blocks.joined(0, range)
    return Range(*(Position(place.line + part.first_line, place.character) for place in (range.start, range.end)))


OtherTexts = Mapping[str, tuple[str, SourceText]]
"""The URI and the text of other files, by their paths."""


def diagnostic(finding: Finding, unit: Unit, others: OtherTexts, client: Client) -> tuple[Part, types.Diagnostic]:
    """The diagnostic of a finding, and the part of the unit that it belongs to.

    Args:
      finding: of the check of `unit`.
      unit: what was checked.
      others: the files of related places.
      client: what it does not support is left out.
    """
    part, range = unit.locate(finding.range)
    related = [_related(place, unit, others, client.encoding) for place in finding.related]
    tags = [_TAGS[tag] for tag in finding.tags if _TAGS[tag] in client.tags]
    return part, types.Diagnostic(
        range=to_client_range(part.document.text, range, client.encoding),
        severity=_SEVERITIES[finding.severity],
        code=finding.code,
        code_description=types.CodeDescription(page_url(finding.name)) if client.code_description else None,
        source=SERVER_NAME,
        message=finding.message,
        tags=tags or None,
        data={"name": finding.name} if client.diagnostic_data else None,
        related_information=related if related and client.related_information else None,
    )


def hint(notice: Notice, unit: Unit, client: Client) -> tuple[Part, types.Diagnostic]:
    """The diagnostic at the first line of what was not analysed, and the part of the unit that it belongs to."""
    part, range = unit.locate(notice.range)
    text, line = part.document.text, range.start.line
    end = min(range.end, Position(line, len(text.line(line))))
    return part, types.Diagnostic(
        range=to_client_range(text, Range(range.start, end), client.encoding),
        severity=types.DiagnosticSeverity.Hint,
        source=SERVER_NAME,
        message=notice.message,
    )


def raised(problem: Problem, unit: Unit, client: Client) -> tuple[Part, types.Diagnostic]:
    """The diagnostic of what running a kernel has shown, on its line, and the part that it belongs to."""
    line = min(problem.line, unit.text.line_count - 1)
    content = unit.text.line(line)
    start = len(content) - len(content.lstrip())
    part, range = unit.locate(Range(Position(line, start), Position(line, len(content.rstrip()))))
    return part, types.Diagnostic(
        range=to_client_range(part.document.text, range, client.encoding),
        severity=types.DiagnosticSeverity.Error,
        source="jax",
        message=problem.message,
    )


def _related(
    related: Related, unit: Unit, others: OtherTexts, encoding: PositionEncoding
) -> types.DiagnosticRelatedInformation:
    if related.path is None:
        part, range = unit.locate(related.range)
        uri, text = part.document.uri, part.document.text
    else:
        range = related.range
        uri, text = others[related.path]
    return types.DiagnosticRelatedInformation(
        location=types.Location(uri, to_client_range(text, range, encoding)), message=related.message
    )

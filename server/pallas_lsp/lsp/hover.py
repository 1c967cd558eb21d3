"""`textDocument/hover` (LSP 3.17, Hover Request): what is found at a place, and which rules a comment is about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lsprotocol import types

from pallas_lsp.findings import Applicability, Fix, Range
from pallas_lsp.lsp.analysis import Checked
from pallas_lsp.lsp.capabilities import Client
from pallas_lsp.lsp.convert import from_client_range, in_unit, to_client_range
from pallas_lsp.rules.base import Rule
from pallas_lsp.rules.pages import page_url, summary_of
from pallas_lsp.rules.registry import RULES
from pallas_lsp.suppressions import Suppressions

if TYPE_CHECKING:
    from pallas_lsp.lsp.server import PallasServer


def register(server: PallasServer) -> None:
    """Adds the handler to a server."""

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(ls: PallasServer, params: types.HoverParams) -> types.Hover | None:
        unit = ls.documents.unit(params.text_document.uri)
        checked = None if unit is None else await ls.analysis.check(unit)
        if checked is None:
            return None
        return await ls.analysis.worker.run(lambda: _hover(checked, ls.client, params))


def _hover(checked: Checked, client: Client, params: types.HoverParams) -> types.Hover | None:
    unit = checked.unit
    part = unit.part(params.text_document.uri)
    if part is None:
        return None
    at = types.Range(params.position, params.position)
    place = in_unit(part, from_client_range(part.document.text, at, client.encoding))
    found = list(_about_findings(checked, place, client.markdown_hover)) or list(
        _about_comments(unit.text.text, place, client.markdown_hover)
    )
    if not found:
        return None
    kind = types.MarkupKind.Markdown if client.markdown_hover else types.MarkupKind.PlainText
    inside, range = unit.locate(found[0][0])
    shown = to_client_range(part.document.text, range, client.encoding) if inside is part else None
    return types.Hover(types.MarkupContent(kind, "\n\n".join(text for _, text in found)), shown)


def _about_findings(checked: Checked, place: Range, markdown: bool) -> Iterator[tuple[Range, str]]:
    """The rule, the message and what can be done, for each finding at a place."""
    for number, finding in enumerate(checked.report.findings):
        if finding.range.touches(place):
            head = _head(finding.code, finding.name, markdown)
            lines = [f"{head}: {finding.message}", *map(_offer, checked.fixes(number))]
            yield finding.range, "\n\n".join(lines)


def _offer(fix: Fix) -> str:
    """What a fix would do, and what to look at or why there is none."""
    if fix.applicability is Applicability.SAFE:
        return f"Fix: {fix.title}."
    if fix.applicability is Applicability.UNSAFE:
        return f"Fix that needs a look: {fix.title}. {fix.reason}"
    return f"No fix: {fix.reason}"


def _about_comments(text: str, place: Range, markdown: bool) -> Iterator[tuple[Range, str]]:
    """The rules that a comment at a place is about."""
    for directive in Suppressions.of(text).directives:
        if not directive.range.touches(place):
            continue
        named = directive.names or frozenset()
        rules = [rule for rule in RULES if {rule.code.lower(), rule.name.lower()} & named]
        if rules:
            yield directive.range, "\n\n".join(_line_about(rule, markdown) for rule in rules)


def _line_about(rule: type[Rule], markdown: bool) -> str:
    return f"{_head(rule.code, rule.name, markdown)}: {summary_of(rule)}"


def _head(code: str, name: str, markdown: bool) -> str:
    return f"[{code}]({page_url(name)}) {name}" if markdown else f"{code} {name}"

"""`textDocument/hover` (LSP 3.17, Hover Request): findings, comments about rules, kernels, their Refs and launches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lsprotocol import types

from pallas_lsp.findings import Applicability, Fix, Range
from pallas_lsp.lsp import descriptions
from pallas_lsp.lsp.analysis import Checked
from pallas_lsp.lsp.capabilities import Client
from pallas_lsp.lsp.places import in_part, in_words, position_in_unit
from pallas_lsp.outline import Outline
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
        outline = await ls.analysis.outline(checked.unit)
        return await ls.analysis.worker.run(lambda: _hover(checked, outline, ls.client, params))


def _hover(checked: Checked, outline: Outline, client: Client, params: types.HoverParams) -> types.Hover | None:
    unit = checked.unit
    part = unit.part(params.text_document.uri)
    if part is None:
        return None
    place = position_in_unit(part, params.position, client.encoding)
    markdown = client.markdown_hover
    found = [
        *_about_findings(checked, place, markdown),
        *_about_comments(unit.text.text, place, markdown),
        *_about_kernels(outline, place, lambda at: in_words(unit, part, at), markdown),
    ]
    if not found:
        return None
    kind = types.MarkupKind.Markdown if markdown else types.MarkupKind.PlainText
    shown = in_part(unit, part, found[0][0], client.encoding)
    return types.Hover(types.MarkupContent(kind, "\n\n".join(text for _, text in found)), shown)


def _about_findings(checked: Checked, place: Range, markdown: bool) -> Iterator[tuple[Range, str]]:
    """The rule, the message and what can be done, for each finding at a place."""
    for number, finding in enumerate(checked.report.findings):
        if finding.range.touches(place):
            head = _head(finding.code, finding.name, markdown)
            lines = [f"{head}: {finding.message}", *map(_offer, checked.fixes(number))]
            yield finding.range, "\n\n".join(lines)


def _about_kernels(
    outline: Outline, place: Range, where: descriptions.Where, markdown: bool
) -> Iterator[tuple[Range, str]]:
    """What a kernel, its parameter or a launch is, where the place is the name of one."""
    for range, text in _descriptions(outline, place, where):
        yield range, text if markdown else descriptions.plain(text)


def _descriptions(outline: Outline, place: Range, where: descriptions.Where) -> Iterator[tuple[Range, str]]:
    for kernel in outline.kernels:
        if kernel.name != "<lambda>" and kernel.name_range.touches(place):
            yield kernel.name_range, descriptions.of_kernel(kernel, where)
        for use in kernel.uses:
            if use.range.touches(place):
                told = (descriptions.of_parameter(way, where) for way in kernel.parameters(use.name))
                yield use.range, "\n\n".join(f"`{use.name}`: {text}" for text in dict.fromkeys(told))
    for launch in outline.launches:
        function = None if launch.function is None else launch.function.range
        for range in (launch.entry.range, function):
            if range is not None and range.touches(place):
                yield range, descriptions.of_launch(launch, where)


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

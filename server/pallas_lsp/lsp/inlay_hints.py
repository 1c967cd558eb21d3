"""`textDocument/inlayHint` (LSP 3.17, Inlay Hint Request): roles of parameters, and the shapes of their blocks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lsprotocol import types

from pallas_lsp.findings import Range
from pallas_lsp.lsp import descriptions, places
from pallas_lsp.lsp.configuration import Shown
from pallas_lsp.lsp.documents import Part, Unit
from pallas_lsp.outline import Kernel, Outline

if TYPE_CHECKING:
    from pallas_lsp.lsp.server import PallasServer


def register(server: PallasServer) -> None:
    """Adds the handler to a server."""

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    async def inlay_hint(ls: PallasServer, params: types.InlayHintParams) -> list[types.InlayHint]:
        uri = params.text_document.uri
        unit = ls.documents.unit(uri)
        part = None if unit is None else unit.part(uri)
        if unit is None or part is None:
            return []
        shown = ls.configuration.shown(unit)
        if not (shown.roles or shown.shapes):
            return []
        outline = await ls.analysis.outline(unit)
        return list(_hints(ls, unit, part, outline, shown, params.range))


def _hints(
    server: PallasServer, unit: Unit, part: Part, outline: Outline, shown: Shown, asked: types.Range
) -> Iterator[types.InlayHint]:
    encoding = server.client.encoding
    wanted = places.range_in_unit(part, asked, encoding)
    for kernel in outline.kernels:
        for name, range in _defined(kernel):
            label = _label(kernel, name, shown)
            place = places.in_part(unit, part, range, encoding)
            if label and place is not None and range.touches(wanted):
                ways = kernel.parameters(name)
                told = (descriptions.of_parameter(way, lambda at: places.in_words(unit, part, at)) for way in ways)
                yield types.InlayHint(
                    place.end,
                    label,
                    types.InlayHintKind.Type,
                    tooltip=descriptions.plain("\n".join(dict.fromkeys(told))),
                    padding_left=True,
                )


def _defined(kernel: Kernel) -> list[tuple[str, Range]]:
    return list({one.name: one.range for launch in kernel.launches for one in launch.parameters}.items())


def _label(kernel: Kernel, name: str, shown: Shown) -> str:
    """What a parameter is in every launch; what differs is left out."""
    ways = kernel.parameters(name)
    roles = {way.role.value if way.references == 1 else f"{way.references} Refs" for way in ways}
    types_ = {way.type for way in ways}
    parts = (roles if shown.roles else (), types_ if shown.shapes else ())
    return " ".join(text for (text,) in (part for part in parts if len(part) == 1) if text)

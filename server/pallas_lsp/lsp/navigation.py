"""Ways between kernels, their parameters and their launches (LSP 3.17): definition, references, highlights.

A general Python server goes from a name to its `def`. What it cannot know is told here, and only that: the spec, the
output or argument that a parameter of a kernel stands for, and the launches of a kernel, those in other files included.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from lsprotocol import types

from pallas_lsp.findings import Range
from pallas_lsp.lsp import places
from pallas_lsp.lsp.documents import Part, Unit
from pallas_lsp.outline import Kernel, Outline, Parameter, Place

if TYPE_CHECKING:
    from pallas_lsp.lsp.server import PallasServer

_Find = Callable[[Outline, Range], Iterable[Place]]


def register(server: PallasServer) -> None:
    """Adds the handlers to a server."""

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    async def definition(ls: PallasServer, params: types.DefinitionParams) -> list[types.Location]:
        return await _locations(ls, params.text_document.uri, params.position, _definitions)

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    async def references(ls: PallasServer, params: types.ReferenceParams) -> list[types.Location]:
        return await _locations(ls, params.text_document.uri, params.position, _references)

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    async def document_highlight(
        ls: PallasServer, params: types.DocumentHighlightParams
    ) -> list[types.DocumentHighlight]:
        found = await _asked(ls, params.text_document.uri, params.position)
        if found is None:
            return []
        unit, part, outline, place = found
        ranges = (places.in_part(unit, part, range, ls.client.encoding) for range in _together(outline, place))
        return [types.DocumentHighlight(range) for range in ranges if range is not None]


async def _asked(server: PallasServer, uri: str, position: types.Position) -> tuple[Unit, Part, Outline, Range] | None:
    """The unit that a request is about, its outline, and the place in it."""
    unit = server.documents.unit(uri)
    part = None if unit is None else unit.part(uri)
    if unit is None or part is None:
        return None
    outline = await server.analysis.outline(unit)
    return unit, part, outline, places.position_in_unit(part, position, server.client.encoding)


async def _locations(server: PallasServer, uri: str, position: types.Position, find: _Find) -> list[types.Location]:
    found = await _asked(server, uri, position)
    if found is None:
        return []
    unit, _, outline, place = found
    encoding, analysis = server.client.encoding, server.analysis
    wanted = dict.fromkeys(find(outline, place))
    return await analysis.worker.run(lambda: [places.location(analysis, unit, one, encoding) for one in wanted])


def _definitions(outline: Outline, place: Range) -> Iterator[Place]:
    """For a parameter, where it is defined: what it stands for. Elsewhere its `def` is the definition."""
    for kernel in outline.kernels:
        for parameter in _parameters(kernel):
            if parameter.range.touches(place):
                yield from _stands_for(parameter)


def _references(outline: Outline, place: Range) -> Iterator[Place]:
    """For a parameter, what it stands for, and the other way round; for a kernel, its launches."""
    for kernel in outline.kernels:
        if kernel.name_range.touches(place):
            yield from (launch.entry for launch in kernel.launches)
        named = _named(kernel, place)
        for parameter in _parameters(kernel):
            if parameter.name == named:
                yield from _stands_for(parameter)
            elif any(one.path is None and one.range.touches(place) for one in _stands_for(parameter)):
                yield from (Place(use.range) for use in kernel.uses if use.name == parameter.name)


def _together(outline: Outline, place: Range) -> list[Range]:
    """What belongs together in this file: the uses of a parameter and what it stands for; a kernel and its launches."""
    found: dict[Range, None] = {}
    for kernel in outline.kernels:
        if kernel.name_range.touches(place):
            found[kernel.name_range] = None
            found.update((launch.entry.range, None) for launch in kernel.launches if launch.entry.path is None)
        named = _named(kernel, place)
        for parameter in _parameters(kernel):
            own = [one.range for one in _stands_for(parameter) if one.path is None]
            if parameter.name == named or any(range.touches(place) for range in own):
                found.update((use.range, None) for use in kernel.uses if use.name == parameter.name)
                found.update((range, None) for range in own)
    return sorted(found)


def _named(kernel: Kernel, place: Range) -> str:
    """The parameter that is named at a place; empty if there is none."""
    return next((use.name for use in kernel.uses if use.range.touches(place)), "")


def _parameters(kernel: Kernel) -> Iterator[Parameter]:
    for launch in kernel.launches:
        yield from launch.parameters


def _stands_for(parameter: Parameter) -> Iterator[Place]:
    for place in (parameter.specification, parameter.bound):
        if place is not None:
            yield place

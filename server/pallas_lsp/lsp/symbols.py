"""`textDocument/documentSymbol` and `workspace/symbol` (LSP 3.17): kernels and their launches.

A general Python server lists the functions. What it cannot tell is which of them are kernels, and what their
parameters are: only these are listed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from pallas_lsp.findings import Range
from pallas_lsp.lsp import descriptions, places
from pallas_lsp.lsp.convert import to_client_range
from pallas_lsp.lsp.documents import Part, Unit
from pallas_lsp.outline import Kernel, Launch, Outline, Parameter

if TYPE_CHECKING:
    from pallas_lsp.lsp.server import PallasServer


def register(server: PallasServer) -> None:
    """Adds the handlers to a server."""

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def document_symbol(
        ls: PallasServer, params: types.DocumentSymbolParams
    ) -> list[types.DocumentSymbol] | list[types.SymbolInformation]:
        uri = params.text_document.uri
        unit = ls.documents.unit(uri)
        part = None if unit is None else unit.part(uri)
        if unit is None or part is None:
            return []
        outline = await ls.analysis.outline(unit)
        symbols = _Symbols(ls, unit, part).of(outline)
        if ls.client.hierarchical_symbols:
            return symbols
        return [
            types.SymbolInformation(types.Location(uri, symbol.range), symbol.name, symbol.kind) for symbol in symbols
        ]

    @server.feature(types.WORKSPACE_SYMBOL)
    async def workspace_symbol(ls: PallasServer, params: types.WorkspaceSymbolParams) -> list[types.SymbolInformation]:
        found = []
        for path in await ls.analysis.candidates():
            uri, text, outline = await ls.analysis.outline_of_file(path)
            for kernel in outline.kernels:
                if _matches(params.query, kernel.name):
                    place = to_client_range(text, kernel.name_range, ls.client.encoding)
                    found.append(
                        types.SymbolInformation(types.Location(uri, place), kernel.name, types.SymbolKind.Function)
                    )
        return found


def _matches(query: str, name: str) -> bool:
    """Whether the letters of a query occur in a name in their order: clients filter again, and sort."""
    letters = iter(name.casefold())
    return all(letter in letters for letter in query.casefold())


class _Symbols:
    """Makes the symbols of one document."""

    def __init__(self, server: PallasServer, unit: Unit, part: Part) -> None:
        self._unit = unit
        self._part = part
        self._encoding = server.client.encoding

    def of(self, outline: Outline) -> list[types.DocumentSymbol]:
        """Kernels with their parameters, and launches, in the order of the text."""
        found = [self._kernel(kernel) for kernel in outline.kernels]
        found += [self._launch(launch) for launch in outline.launches]
        made = [symbol for symbol in found if symbol is not None]
        return sorted(made, key=lambda symbol: (symbol.range.start.line, symbol.range.start.character))

    def _kernel(self, kernel: Kernel) -> types.DocumentSymbol | None:
        count = len(kernel.launches)
        detail = f"kernel, {count} launch{'' if count == 1 else 'es'}"
        symbol = self._symbol(kernel.name, types.SymbolKind.Function, kernel.range, kernel.name_range, detail)
        if symbol is not None:
            parameters = {one.name: one for launch in reversed(kernel.launches) for one in launch.parameters}
            children = [self._parameter(one) for one in sorted(parameters.values(), key=lambda one: one.range)]
            symbol.children = [child for child in children if child is not None]
        return symbol

    def _parameter(self, parameter: Parameter) -> types.DocumentSymbol | None:
        detail = f"{parameter.role.value} {parameter.type}".strip()
        return self._symbol(parameter.name, types.SymbolKind.Variable, parameter.range, parameter.range, detail)

    def _launch(self, launch: Launch) -> types.DocumentSymbol | None:
        name = f"{launch.entry_name} of {launch.kernel_name}"
        grid = [f"grid {' '.join(launch.grid.split())}"] if launch.grid else []
        detail = ", ".join((*grid, *filter(None, [descriptions.outputs_of(launch).removeprefix(", ")])))
        return self._symbol(name, types.SymbolKind.Event, launch.place.range, launch.entry.range, detail)

    def _symbol(
        self, name: str, kind: types.SymbolKind, whole: Range, selected: Range, detail: str
    ) -> types.DocumentSymbol | None:
        range = places.in_part(self._unit, self._part, whole, self._encoding)
        selection = places.in_part(self._unit, self._part, selected, self._encoding)
        if range is None or selection is None:
            return None
        return types.DocumentSymbol(name, kind, range, selection, detail=detail)

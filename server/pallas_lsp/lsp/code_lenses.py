"""`textDocument/codeLens` (LSP 3.17, Code Lens Request): above a kernel, where it is launched, and to run it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from pallas_lsp.lsp import descriptions, places
from pallas_lsp.lsp.capabilities import SHOW_LAUNCH, VERIFY_KERNEL
from pallas_lsp.lsp.configuration import Shown
from pallas_lsp.lsp.documents import Part, Unit
from pallas_lsp.lsp.verification import can_be_run
from pallas_lsp.outline import Kernel, Launch, Outline

if TYPE_CHECKING:
    from pallas_lsp.lsp.server import PallasServer

_MOST = 3
"""Launches of one kernel that get a lens each; of more the number is told."""


def register(server: PallasServer) -> None:
    """Adds the handler to a server."""

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    async def code_lens(ls: PallasServer, params: types.CodeLensParams) -> list[types.CodeLens]:
        uri = params.text_document.uri
        unit = ls.documents.unit(uri)
        part = None if unit is None else unit.part(uri)
        if unit is None or part is None:
            return []
        shown = ls.configuration.shown(unit)
        outline = await ls.analysis.outline(unit) if shown.launches or shown.verify else Outline()
        return await ls.analysis.worker.run(lambda: _lenses(ls, unit, part, outline, shown))


def _lenses(server: PallasServer, unit: Unit, part: Part, outline: Outline, shown: Shown) -> list[types.CodeLens]:
    found = []
    for kernel in outline.kernels:
        place = places.in_part(unit, part, kernel.name_range, server.client.encoding)
        if place is None:
            continue
        commands = _commands(server, unit, part, kernel) if shown.launches else []
        own = [launch for launch in kernel.launches if launch.place.path is None]
        if shown.verify and own and server.client.trusted and can_be_run(unit):
            arguments = [{"uri": unit.uri, "kernel": own[0].kernel_name}]
            commands.append(types.Command("verify in interpret mode", VERIFY_KERNEL, arguments=arguments))
        found += [types.CodeLens(place, command) for command in commands]
    return found


def _commands(server: PallasServer, unit: Unit, part: Part, kernel: Kernel) -> list[types.Command]:
    if len(kernel.launches) > _MOST:
        return [_command(server, unit, kernel.launches[0], f"launched at {len(kernel.launches)} places")]
    titles = (
        f"launched at {places.in_words(unit, part, launch.place)}{descriptions.outputs_of(launch)}"
        for launch in kernel.launches
    )
    return [_command(server, unit, *pair) for pair in zip(kernel.launches, titles, strict=True)]


def _command(server: PallasServer, unit: Unit, launch: Launch, title: str) -> types.Command:
    """Goes to a launch; only a title where the client cannot be asked to show a place."""
    if not server.client.show_document:
        return types.Command(title, "")
    location = places.location(server.analysis, unit, launch.entry, server.client.encoding)
    start = location.range.start
    place = {"uri": location.uri, "line": start.line, "character": start.character}
    return types.Command(title, SHOW_LAUNCH, arguments=[place])

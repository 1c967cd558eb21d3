"""What the first code action needs, made ready while nobody waits for it.

The modules that plan fixes are imported late, since most checks end without one; and cattrs makes the code that reads
or writes a kind of message when the first of that kind comes. Together that takes a tenth of a second.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from pallas_lsp.lsp.documents import Unit
    from pallas_lsp.lsp.server import PallasServer

# Seconds after the first check; its diagnostics are written by then.
_PAUSE = 0.1

_START = types.Range(types.Position(0, 0), types.Position(0, 0))
_DIAGNOSTICS = [types.Diagnostic(_START, "")]
_REQUEST = types.CodeActionRequest(
    0,
    types.CodeActionParams(types.TextDocumentIdentifier(""), _START, types.CodeActionContext(_DIAGNOSTICS)),
)
_EDIT = types.TextDocumentEdit(types.OptionalVersionedTextDocumentIdentifier("", 0), [types.TextEdit(_START, "")])
_ANSWER = types.CodeActionResponse(
    0, [types.CodeAction("", diagnostics=_DIAGNOSTICS, edit=types.WorkspaceEdit(document_changes=[_EDIT]))]
)


async def rehearse(server: PallasServer, unit: Unit) -> None:
    """Makes ready for a code action once a unit, the first to be opened, has been checked."""
    await server.analysis.check(unit)
    await asyncio.sleep(_PAUSE)
    await server.analysis.worker.run(_import_planners)
    server.protocol.rehearse(_REQUEST, _ANSWER)


def _import_planners() -> None:
    import pallas_lsp.conversions
    import pallas_lsp.rules.storing  # noqa: F401

"""The command `pallas-lsp.verifyKernel`: runs kernels of a document, when the user asks for it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified, JsonRpcException, JsonRpcInvalidParams

from pallas_lsp.lsp.capabilities import VERIFY_KERNEL
from pallas_lsp.lsp.places import position_in_unit
from pallas_lsp.lsp.progress import Cancelled, Watched
from pallas_lsp.verify.running import Verification
from pallas_lsp.verify.verifying import UnknownKernel, verified

if TYPE_CHECKING:
    from pallas_lsp.lsp.documents import Unit
    from pallas_lsp.lsp.server import PallasServer
    from pallas_lsp.outline import Outline


def can_be_run(unit: Unit) -> bool:
    """Whether a unit is a file that Python can import."""
    return bool(unit.path) and unit.joined is None


async def verify_kernel(server: PallasServer, arguments: list[Any]) -> dict[str, Any]:
    """Runs the kernels that a document launches, and shows what JAX says as diagnostics until the document changes.

    The argument is an object: the `uri` of the document, and optionally the name of the `kernel`, or a `position` in it
    or in a launch; without, all launches are run.

    Raises:
      JsonRpcInvalidParams: there is no such document or kernel.
      JsonRpcException: the workspace is not trusted.
    """
    match arguments:
        case [{"uri": str(uri), **rest}]:
            unit = server.documents.unit(uri)
        case _:
            raise JsonRpcInvalidParams(f"{VERIFY_KERNEL} takes one object with `uri`")
    if not server.client.trusted:
        raise JsonRpcException(
            "the workspace is not trusted, so its code is not run", types.LSPErrorCodes.RequestFailed
        )
    if unit is None or not can_be_run(unit):
        raise JsonRpcInvalidParams(f"{uri} is not an open Python file with a path")
    checked = await server.analysis.check(unit)
    if checked is None:
        raise JsonRpcContentModified()
    kernel = _kernel(server, unit, rest, await server.analysis.outline(unit))
    try:
        plan = await server.analysis.plan(checked, kernel)
    except UnknownKernel as error:
        raise JsonRpcInvalidParams(str(error)) from None
    work = Watched(server, "Running kernels")
    text, settings = unit.text.text, checked.settings
    try:
        found = await asyncio.to_thread(lambda: verified(plan, text, unit.path, settings, observe=work.report))
    except Cancelled:
        return {"cancelled": True}
    finally:
        work.stop()  # if it was the request that was cancelled
        work.end()
    server.analysis.keep_problems(unit, found.problems)
    server.diagnostics.refresh()
    kind = types.MessageType.Warning if found.failure or found.problems else types.MessageType.Info
    server.window_show_message(types.ShowMessageParams(kind, f"Pallas: {_summary(found)}"))
    return {
        "failure": found.failure or None,
        "problems": [{"line": one.line, "message": one.message} for one in found.problems],
        "ran": [{"line": one.line, "kernel": one.kernel, "outputs": list(one.outputs)} for one in found.ran],
        "skipped": [{"line": one.line, "kernel": one.kernel, "reason": one.reason} for one in found.skipped],
    }


def _kernel(server: PallasServer, unit: Unit, options: Mapping[Any, Any], outline: Outline) -> str | None:
    """The name of the kernel that is asked for; None for all."""
    match options:
        case {"kernel": str(name)}:
            return name
        case {"position": {"line": int(line), "character": int(character)}}:
            position = types.Position(max(line, 0), max(character, 0))
            place = position_in_unit(unit.parts[0], position, server.client.encoding)
            for kernel in outline.kernels:
                if kernel.range.touches(place) and any(one.place.path is None for one in kernel.launches):
                    return next(one.kernel_name for one in kernel.launches if one.place.path is None)
            return next((one.kernel_name for one in outline.launches if one.place.range.touches(place)), None)
    return None


def _summary(found: Verification) -> str:
    """What came of it, in a line; what did not run with the first reason."""
    if found.failure:
        return found.failure
    parts = [
        f"{len(found.ran)} launch{'' if len(found.ran) == 1 else 'es'} ran",
        f"{len(found.problems)} problem{'' if len(found.problems) == 1 else 's'}",
    ]
    if found.skipped:
        parts.append(f"{len(found.skipped)} not run: {found.skipped[0].reason}")
    return ", ".join(parts)

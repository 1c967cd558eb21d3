"""`pallas-lsp server`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from pallas_lsp.lsp.transport import TransportName


@click.command("server")
@click.option("--stdio", "transport", flag_value="stdio", help="Talk over stdin and stdout, the default.")
@click.option("--tcp", "transport", flag_value="tcp", help="Wait for a client on a TCP port.")
@click.option("--ws", "transport", flag_value="ws", help="Wait for a client on a web socket.")
@click.option("--host", metavar="ADDRESS", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", metavar="PORT", type=click.IntRange(0, 65535), default=0, help="The port; 0 for any free one.")
def command(transport: TransportName | None, host: str, port: int) -> int:
    """Start the language server."""
    from pallas_lsp.lsp import serve

    return serve(transport or "stdio", host, port)

"""The language server. `serve` is its entry; importing this package imports neither pygls nor lsprotocol."""

from pallas_lsp.lsp.bootstrap import serve

__all__ = ["serve"]

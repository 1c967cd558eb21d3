"""`python -m pallas_lsp.lsp [stdio|tcp|ws [HOST [PORT]]]`: the server alone, without the command line around it."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from pallas_lsp.lsp import serve


def main(arguments: Sequence[str]) -> int:
    """Serves one client; see `serve` for the arguments and the exit code."""
    match arguments:
        case []:
            return serve()
        case ["stdio" | "tcp" | "ws" as transport]:
            return serve(transport)
        case ["stdio" | "tcp" | "ws" as transport, host]:
            return serve(transport, host)
        case ["stdio" | "tcp" | "ws" as transport, host, port] if port.isdigit():
            return serve(transport, host, int(port))
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

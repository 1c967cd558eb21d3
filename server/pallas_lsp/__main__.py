"""`pallas-lsp` and `python -m pallas_lsp`."""

from __future__ import annotations

import gc
import sys
from pathlib import Path


def main() -> int:
    """Runs the command line and returns its exit code."""
    arguments = sys.argv[1:]
    if arguments in (["server"], ["server", "--stdio"]):
        # What an editor starts: it waits for the answer, so click is not even imported.
        from pallas_lsp.lsp import serve

        return serve()
    from pallas_lsp.cli.main import run

    # Syntax trees are many objects and hold no circles; looking for circles in them would take a tenth of the time.
    gc.set_threshold(50_000, 20, 100)
    return run(arguments)


if __name__ == "__main__":
    # `python -m` puts the working folder first: a file of the user's called `attr.py` must not be imported for ours.
    if not getattr(sys.flags, "safe_path", False) and sys.path[0] in ("", str(Path.cwd())):
        del sys.path[0]
    sys.exit(main())

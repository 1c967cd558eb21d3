"""`pallas-lsp` and `python -m pallas_lsp`."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path
from typing import NoReturn


def main() -> int:
    """Runs the command line and returns its exit code."""
    arguments = sys.argv[1:]
    if arguments in (["server"], ["server", "--stdio"]):
        # What an editor starts: it waits for the answer, so click is not even imported.
        from pallas_lsp.lsp import serve

        return serve()
    from pallas_lsp.cli.main import run

    # Syntax trees are many objects and hold no circles; looking for circles in them would take a fifth of the time.
    gc.disable()
    return run(arguments)


def _open_closed_streams() -> None:
    """Gives the null device in place of a stream that the caller has closed (`>&-`), for which Python has None."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115


def start() -> NoReturn:
    """Runs the command line and ends the process at once: to give back each object would take a third of the time."""
    _open_closed_streams()
    try:
        code = main()
    except KeyboardInterrupt:  # while parts of the program are still being imported
        code = 130
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:  # whoever reads has seen enough
        pass
    except OSError as error:
        os.write(2, f"pallas-lsp: error: the output cannot be written: {error.strerror}\n".encode())
        code = 2
    os._exit(code)


if __name__ == "__main__":
    # `python -m` puts the working folder first: a file of the user's called `attr.py` must not be imported for ours.
    if not getattr(sys.flags, "safe_path", False) and sys.path[0] in ("", str(Path.cwd())):
        del sys.path[0]
    start()

"""Adds the fix to the errors that JAX raises, while a program runs."""

from __future__ import annotations

import traceback
from contextlib import ContextDecorator, suppress
from types import TracebackType

from pallas_lsp.runtime.explaining import as_text, explain
from pallas_lsp.runtime.tracebacks import Frame, Raised


class explained(ContextDecorator):
    """Adds to an error of JAX what the checker knows of it: the finding, the launch, the output Refs and the diff.

    A context manager, and a decorator of functions. The error itself goes on as it is, with a note (PEP 678); before
    Python 3.11, where errors have no notes, its message gets longer. An error that no rule knows is left alone.

    JAX raises where a launch is called or traced, not where `pallas_call` makes it: the call belongs into the block.
    """

    def __enter__(self) -> explained:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, Exception):
            # Whatever goes wrong here must not take the place of the program's own error.
            with suppress(Exception):
                _add_explanation(error)


def _add_explanation(error: Exception) -> None:
    frames = tuple(
        Frame(frame.filename, line)
        for frame in traceback.extract_tb(error.__traceback__)
        if (line := frame.lineno) is not None
    )
    explanation = explain(Raised(f"{type(error).__name__}: {error}", frames))
    if explanation is None:
        return
    note = f"\n{as_text(explanation)}"
    if any(note in known for known in (*getattr(error, "__notes__", ()), str(error))):
        return  # an inner block has added it
    if hasattr(error, "add_note"):
        error.add_note(note)
    elif error.args and isinstance(error.args[0], str):
        error.args = (f"{error.args[0]}\n{note}", *error.args[1:])

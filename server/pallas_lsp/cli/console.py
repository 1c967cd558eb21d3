"""Where a command writes to, in which colours, and how much."""

from __future__ import annotations

import enum
import os
import sys
from typing import BinaryIO, NamedTuple, TextIO

from pallas_lsp.cli.progress import Progress


class Verbosity(enum.IntEnum):
    """How much is said besides the result; as ruff's log levels."""

    SILENT = 0
    QUIET = 1
    DEFAULT = 2
    VERBOSE = 3


class Failure(Exception):
    """Something that ends a command with exit code 2, told in one line."""


class Palette(NamedTuple):
    """Colours a text, or leaves it alone when not `enabled`."""

    enabled: bool = False

    def bold(self, text: str) -> str:
        """Codes and headings."""
        return self._paint(text, "1")

    def red(self, text: str) -> str:
        """Errors, and removed lines."""
        return self._paint(text, "1;31")

    def yellow(self, text: str) -> str:
        """Warnings."""
        return self._paint(text, "1;33")

    def green(self, text: str) -> str:
        """Added lines."""
        return self._paint(text, "1;32")

    def blue(self, text: str) -> str:
        """The frame around source text."""
        return self._paint(text, "1;34")

    def cyan(self, text: str) -> str:
        """Places and helpful remarks."""
        return self._paint(text, "1;36")

    def _paint(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.enabled and text else text


class Console(NamedTuple):
    """Standard output, or the file of `--output-file`, and standard error."""

    output: BinaryIO
    verbosity: Verbosity
    palette: Palette
    progress: Progress = Progress()

    def write(self, text: str) -> None:
        """Writes a part of the result, in UTF-8 whatever the locale; names of files come out byte for byte."""
        self.write_bytes(text.encode("utf-8", "surrogateescape"))

    def write_bytes(self, data: bytes) -> None:
        """Writes a part of the result."""
        self.progress.hide()
        self.output.write(data)
        self.output.flush()

    def error(self, message: str) -> None:
        """Says why something could not be done; never kept back."""
        self.progress.hide()
        report_error(message)

    def warning(self, message: str) -> None:
        """Says what the user should know, although all went well."""
        self._say(f"{palette_of(sys.stderr).yellow('warning')}: {message}", Verbosity.DEFAULT)

    def note(self, message: str) -> None:
        """Says what was done."""
        self._say(message, Verbosity.DEFAULT)

    def detail(self, message: str) -> None:
        """Says what only helps to find out why."""
        self._say(message, Verbosity.VERBOSE)

    def _say(self, message: str, verbosity: Verbosity) -> None:
        if self.verbosity >= verbosity:
            self.progress.hide()
            _write_line(message)


def report_error(message: str) -> None:
    """Writes the one line in which every failure is told."""
    _write_line(f"pallas-lsp: {palette_of(sys.stderr).red('error')}: {message}")


def _write_line(message: str) -> None:
    encoding = sys.stderr.encoding or "utf-8"
    sys.stderr.write(f"{message}\n".encode(encoding, "backslashreplace").decode(encoding))


def palette_of(stream: TextIO, when: str = "auto") -> Palette:
    """The palette for a stream.

    Args:
      stream: where the text goes.
      when: `always`, `never`, or `auto`: FORCE_COLOR and NO_COLOR decide, in this order, then whether it is a terminal.
    """
    if when != "auto":
        return Palette(when == "always")
    if os.environ.get("FORCE_COLOR"):
        return Palette(True)
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return Palette(False)
    return Palette(stream.isatty())


def progress_on(stream: TextIO, verbosity: Verbosity) -> Progress:
    """The progress of a run, told on a stream: nothing, unless that is a terminal that can draw over a line."""
    shown = verbosity >= Verbosity.DEFAULT and stream.isatty() and os.environ.get("TERM") != "dumb"
    return Progress(stream if shown else None)

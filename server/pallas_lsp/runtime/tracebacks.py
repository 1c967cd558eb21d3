"""Reads tracebacks as programs print them: Python's, JAX's with and without its own frames, IPython's and pytest's."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple


class Frame(NamedTuple):
    """A line that was running: the file as the traceback names it, and the 1-based line."""

    path: str
    line: int


@dataclass(frozen=True, slots=True)
class Raised:
    """One exception of a traceback.

    Args:
      text: `Type: message`; the message may have more lines.
      frames: where it passed, outermost first.
    """

    text: str
    frames: tuple[Frame, ...]


_ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")
_PYTEST = re.compile(r"E(?:   +|$)")
_GROUP = re.compile(r"(?:  )*(?:\| |\+-\+-+ \d+ -+$|\+-+$)")
_START = re.compile(r"(?:\S+ +)?Traceback \(most recent call last\)")
_SEPARATOR = re.compile(
    r"The above exception was the direct cause|During handling of the above exception|-{8,}$|_{3,} |={3,} |_ _ _ "
)
_ERROR = re.compile(r"(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Exit|Interrupt|Warning)\w*(?::|$)")

_FRAMES = (
    re.compile(r'\s*File "(?P<path>.+?)", line (?P<line>\d+)'),
    re.compile(r"(?:File )?(?P<path>Cell In ?\[\d+\]|<ipython-input[^>]*>), line (?P<line>\d+)"),
    re.compile(r"File (?P<path>\S.*?):(?P<line>\d+)(?:,|$)"),
    re.compile(r"(?P<path>[^\s:][^:]*\.py|[A-Za-z]:[^:]*\.py):(?P<line>\d+):(?: |$)"),
)
"""How Python, IPython 8, IPython 7.31 and pytest say where a frame is."""

_OLD_HEADER = re.compile(
    r"(?P<path>\S+\.py|<ipython-input[^>]*>) in [\w<>.]+(?:\(.*\))?$|(?P<cell>Input In \[\d+\]), in "
)
_ARROW = re.compile(r"-+> ?(?P<line>\d+)\b")


def raised_in(text: str) -> tuple[Raised, ...]:
    """The exceptions in a text, in the order in which they stand there; of a chain the last one is what was raised.

    Args:
      text: the output of a program, with other lines around the traceback or not.
    """
    reader = _Reader()
    for line in _ESCAPE.sub("", text).split("\n"):
        reader.read(_GROUP.sub("", line, count=1))
    return reader.finished()


class _Reader:
    """Goes through a traceback line by line."""

    def __init__(self) -> None:
        self.found: list[tuple[list[str], list[Frame]]] = []
        self.frames: list[Frame] = []
        self.all: dict[Frame, None] = {}
        self.message: list[str] | None = None
        self.header = ""

    def read(self, line: str) -> None:
        """Takes one line in."""
        marked = _PYTEST.match(line)
        if marked is not None:
            self._text(line[marked.end() :], is_error=True)
        elif _START.match(line.strip()):
            self.message, self.frames, self.header = None, [], ""
        elif _SEPARATOR.match(line.strip()):
            self.message = None
        elif not self._frame(line):
            self._text(line, is_error=False)

    def _text(self, line: str, *, is_error: bool) -> None:
        """A line of a message, or of anything else."""
        if _ERROR.match(line) and (self.message is None or not is_error):
            self.message = [line]
            self.found.append((self.message, list(self.frames)))
        elif self.message is not None:
            self.message.append(line)

    def _frame(self, line: str) -> bool:
        """Whether a line says where a frame is."""
        for pattern in _FRAMES:
            place = pattern.match(line)
            if place is not None and not _ERROR.match(line):
                self._add(place["path"], int(place["line"]))
                self.header = place["path"]
                return True
        header = _OLD_HEADER.match(line)
        if header is not None:
            self.header = header["path"] or header["cell"]
            self.message = None
            return True
        arrow = _ARROW.match(line)
        if arrow is not None and self.header:
            self._add(self.header, int(arrow["line"]))
            self.header = ""
            return True
        return False

    def _add(self, path: str, line: int) -> None:
        frame = Frame(path, line)
        self.message = None
        if frame not in self.frames:
            self.frames.append(frame)
        self.all[frame] = None

    def finished(self) -> tuple[Raised, ...]:
        """What was read. Frames that stand elsewhere, as pytest's do, come before those of an exception itself."""
        return tuple(
            Raised("\n".join(message).strip(), (*_without(self.all, frames), *frames)) for message, frames in self.found
        )


def _without(frames: Iterable[Frame], others: list[Frame]) -> list[Frame]:
    return [frame for frame in frames if frame not in others]

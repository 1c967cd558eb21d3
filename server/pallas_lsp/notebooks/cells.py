"""The cells of a notebook as one module, and the way back to the cells.

Positions are 0-based and count code points, as in `findings`. A line of a cell is one line of the module, with the same
columns; between two cells there may be lines that are in neither.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from pallas_lsp.findings import Applicability, Edit, Fix, Position, Range
from pallas_lsp.notebooks.magics import BLOCK_HEADER, PythonCell, as_python
from pallas_lsp.text import SourceText

# Keeps what is open in one cell from running on into the next. The first line ends a string with triple quotes of
# either kind, in a way that no valid string ends, and is a comment elsewhere. The second is an error that lasts to its
# end; within an f-string it shows that the replacement field is not closed. The third cannot stand within brackets.
BOUNDARY = "#\"\"\"_#'''_\n'\nassert 1\n"

_START = Position(0, 0)

_UNDERSCORES = re.compile(r"(?<!\w)_+(?!\w)")


class RefusedEdit(ValueError):
    """An edit of the module has no place in the cells; the text is a sentence for the user."""


class Joined(Protocol):
    """Texts that are one module: the cells of a notebook, or a document with Python in it as its one cell."""

    @property
    def cells(self) -> tuple[str | None, ...]:
        """The texts; None for a cell that is not Python code."""

    @property
    def text(self) -> str:
        """The module."""

    def first_line(self, cell: int) -> int:
        """The line of the module that is the first one of a cell."""

    def cell_at(self, line: int) -> int | None:
        """The cell that a line of the module is in; None for a line that is in none."""

    def locate(self, range: Range) -> tuple[int, Range]:
        """The cell in which a range of the module starts, and the range in it."""

    def joined(self, cell: int, range: Range) -> Range:
        """The range of the module that is a range of a cell."""

    def edits_by_cell(self, edits: Iterable[Edit]) -> dict[int, tuple[Edit, ...]]:
        """Edits of the module as edits of the cells.

        Raises:
          RefusedEdit: the cells do not admit one.
        """

    def rejoin(self, cells: tuple[str | None, ...]) -> Joined:
        """Makes one module of later versions of the texts."""


def admitted(joined: Joined, fix: Fix) -> Fix:
    """The fix itself, or one that says why the cells cannot be changed as it says."""
    try:
        joined.edits_by_cell(fix.edits)
    except RefusedEdit as refused:
        return Fix(fix.title, (), Applicability.NONE, str(refused))
    return fix


@dataclass(frozen=True)
class JoinedCells:
    r"""The code cells of a notebook as one module.

    Args:
      cells: the texts; None for a cell that is not Python code.
      text: the module. Line breaks are `\n`, whatever the cells have.
    """

    cells: tuple[str | None, ...]
    text: str
    _numbers: tuple[int, ...]
    _first_lines: tuple[int, ...]
    _codes: tuple[PythonCell, ...]

    def first_line(self, cell: int) -> int:
        """The line of the module that is the first one of a cell.

        Raises:
          ValueError: the cell is not code.
        """
        return self._first_lines[self._numbers.index(cell)]

    def cell_at(self, line: int) -> int | None:
        """The cell that a line of the module is in; None for a line between two cells."""
        index = bisect_right(self._first_lines, line) - 1
        inside = index >= 0 and line - self._first_lines[index] <= self._codes[index].end.line
        return self._numbers[index] if inside else None

    def locate(self, range: Range) -> tuple[int, Range]:
        """The cell in which a range of the module starts, and the range in it, cut at the cell's end.

        Raises:
          IndexError: no cell is code.
        """
        index = max(0, bisect_right(self._first_lines, range.start.line) - 1)
        end_of_cell = self._codes[index].end
        start, end = (_moved(place, -self._first_lines[index]) for place in (range.start, range.end))
        return self._numbers[index], Range(*(max(_START, min(place, end_of_cell)) for place in (start, end)))

    def joined(self, cell: int, range: Range) -> Range:
        """The range of the module that is a range of a cell.

        Raises:
          ValueError: the cell is not code.
        """
        first = self.first_line(cell)
        return Range(_moved(range.start, first), _moved(range.end, first))

    def edits_by_cell(self, edits: Iterable[Edit]) -> dict[int, tuple[Edit, ...]]:
        """Edits of the module as edits of the cells, with each cell's own line breaks.

        Raises:
          RefusedEdit: one is not in one cell, or would change a magic or the argument of one.
        """
        found: dict[int, list[Edit]] = {}
        for edit in edits:
            cell, inner = self._placed(edit)
            found.setdefault(cell, []).append(inner)
        return {cell: tuple(inner) for cell, inner in found.items()}

    def rejoin(self, cells: tuple[str | None, ...]) -> JoinedCells:
        """Makes one module of later versions of the cells."""
        return join(cells)

    def _placed(self, edit: Edit) -> tuple[int, Edit]:
        index = max(0, bisect_right(self._first_lines, edit.range.start.line) - 1)
        code = self._codes[index]
        start, end = (_moved(place, -self._first_lines[index]) for place in (edit.range.start, edit.range.end))
        text = edit.new_text
        if end == Position(code.end.line + 1, 0) and start <= code.end:
            # The line break after the last line of a cell is in no cell, so it has to stay.
            if not (text.endswith("\n") or (not text and start.character == 0)):
                raise RefusedEdit("This would join two cells.")
            text, end = text[:-1], code.end
        if start < _START or end > code.end:
            raise RefusedEdit("This would change what is not in one cell.")
        if code.has_cell_magic:
            raise RefusedEdit("The cell is the argument of a `%%` magic.")
        placed = Edit(Range(start, end), text)
        if any(_disturbs(placed, mask, code) for mask in code.masks):
            raise RefusedEdit("This would change a line that IPython reads in its own way.")
        if any(len(name.group()) in self._mask_widths for name in _UNDERSCORES.finditer(text)):
            raise RefusedEdit("This would copy what IPython reads in its own way.")
        number = self._numbers[index]
        newline = SourceText(self.cells[number] or "").newline()
        return number, Edit(placed.range, text.replace("\n", newline))

    @cached_property
    def _mask_widths(self) -> frozenset[int]:
        """How long the names are that stand for magics."""
        starts = ((code.text.split("\n")[mask.start.line], mask.start) for code in self._codes for mask in code.masks)
        names = (_UNDERSCORES.match(line, start.character) for line, start in starts)
        return frozenset(len(name.group()) for name in names if name is not None)


def join(cells: Sequence[str | None]) -> JoinedCells:
    """Makes one module of the cells of a notebook. Never fails.

    No statement runs from one cell into the next: after a cell that does not parse, and before one, there are lines
    that keep them apart. The first lines of the cells are `first_line`.

    Args:
      cells: the texts in the order of the notebook; None for a cell that is not Python code. An `.ipynb` file has them
        in `Notebook.sources`.
    """
    numbers: list[int] = []
    first_lines: list[int] = []
    codes: list[PythonCell] = []
    parts: list[str] = []
    line = 0
    for number, cell in enumerate(cells):
        if cell is None:
            continue
        code = as_python(cell)
        between = "\n" if codes else ""
        if codes and not (codes[-1].is_intact and code.is_intact):
            between += BOUNDARY
        if code.is_indented:
            between += BLOCK_HEADER
        line += between.count("\n")
        numbers.append(number)
        first_lines.append(line)
        codes.append(code)
        parts += (between, code.text)
        line += code.end.line
    return JoinedCells(tuple(cells), "".join(parts), tuple(numbers), tuple(first_lines), tuple(codes))


def _moved(position: Position, lines: int) -> Position:
    return Position(position.line + lines, position.character)


def _disturbs(edit: Edit, mask: Range, code: PythonCell) -> bool:
    """Whether an edit changes a magic, or puts something beside it on its line."""
    start, end, text = edit.range.start, edit.range.end, edit.new_text
    if end < mask.start or mask.end < start:
        return False
    lines = code.text.split("\n")
    if end == mask.start:
        before = text.rpartition("\n")[2] if "\n" in text else lines[start.line][: start.character] + text
        return bool(before.strip())
    if start == mask.end:
        after = text.partition("\n")[0] if "\n" in text else text + lines[end.line][end.character :]
        return bool(after.strip())
    return True

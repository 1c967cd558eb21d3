"""What a command has to say about a file, before it is written in some format."""

from __future__ import annotations

from typing import NamedTuple

from pallas_lsp.findings import Edit, Finding, Fix, Notice, Position, Related
from pallas_lsp.text import SourceText


class Violation(NamedTuple):
    """A finding, and what `--fix` could do about it.

    Args:
      finding: what was found.
      fix: the way to mend it that `--fix` takes, or would take with `--unsafe-fixes`.
      fixable: whether `--fix` takes it with the settings at hand.
      obstacle: why there is no fix; empty when there is one, or nothing is known.
    """

    finding: Finding
    fix: Fix | None
    fixable: bool
    obstacle: str


class Result(NamedTuple):
    """What a command says about one file.

    Args:
      path: absolute; `-` for standard input without a name.
      shown: the path as people read it, relative to the current folder where it is in it.
      is_notebook: whether its texts are cells; every other file has one text.
      before: the texts before fixing; empty ones for cells that are not Python.
      sources: the texts after fixing, which the violations are about.
      violations: in the order of the text.
      notices: what was not analysed.
      fixed: what was mended, or would be.
    """

    path: str
    shown: str
    is_notebook: bool
    before: tuple[SourceText, ...]
    sources: tuple[SourceText, ...]
    violations: tuple[Violation, ...]
    notices: tuple[Notice, ...]
    fixed: tuple[tuple[Finding, Fix], ...] = ()

    def source(self, cell: int | None) -> SourceText:
        """The text that a place is in, given its cell."""
        return self.sources[cell or 0]


def cell_of(placed: Finding | Related | Edit | Notice) -> int | None:
    """The cell, 0-based, that something is in; None when it is not in a notebook."""
    # What is in a notebook has classes of its own, which are not imported for a look.
    cell: int | None = getattr(placed, "cell", None)
    return cell


def row_and_column_of(cell: int | None, position: Position) -> str:
    """A place in a file as people read it, all numbers 1-based: `4:2`, and in a notebook `cell 3:4:2`."""
    place = f"{position.line + 1}:{position.character + 1}"
    return place if cell is None else f"cell {cell + 1}:{place}"

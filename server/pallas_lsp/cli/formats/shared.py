"""What several formats write in the same way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pallas_lsp.cli.console import Palette
from pallas_lsp.cli.results import Result, Violation, cell_of, row_and_column_of
from pallas_lsp.findings import Finding, Position, Range, Related, Severity

TOOL = "pallas-lsp"

_START_OF_FILE = Range(Position(0, 0), Position(0, 0))


def all_violations(results: Iterable[Result]) -> Iterator[tuple[Result, Violation]]:
    """Every violation with its file."""
    for result in results:
        for violation in result.violations:
            yield result, violation


def place(position: Position) -> tuple[int, int]:
    """Row and column, both 1-based, in characters."""
    return position.line + 1, position.character + 1


def row_and_column(position: Position) -> dict[str, int]:
    """A position as ruff's JSON has it."""
    row, column = place(position)
    return {"row": row, "column": column}


def cell_number(cell: int | None) -> int | None:
    """The number of a cell, 1-based; None for what is not in a notebook."""
    return None if cell is None else cell + 1


def range_in_file(placed: Finding | Related) -> Range:
    """The place for a format that knows no cells: of what is in a notebook, the start of the file as in ruff."""
    return placed.range if cell_of(placed) is None else _START_OF_FILE


def message_in_file(placed: Finding | Related) -> str:
    """The message for a format that knows no cells: it names the place in the notebook itself."""
    cell = cell_of(placed)
    return placed.message if cell is None else f"{row_and_column_of(cell, placed.range.start)}: {placed.message}"


def by_severity(error: str, warning: str, lesser: str, severity: Severity) -> str:
    """The word of a format with three levels."""
    return {Severity.ERROR: error, Severity.WARNING: warning}.get(severity, lesser)


def one_line(text: str) -> str:
    """A text that must not contain line breaks."""
    return " ".join(text.split("\n"))


def marked_code(violation: Violation, palette: Palette) -> str:
    """The code in the colour of the severity, with `[*]` when `--fix` mends the violation."""
    colour = palette.red if violation.finding.severity is Severity.ERROR else palette.yellow
    mark = f" [{palette.cyan('*')}]" if violation.fixable else ""
    return f"{colour(violation.finding.code)}{mark}"


def related_path(related: Related, result: Result) -> str:
    """The absolute path of a related place."""
    return related.path or result.path


def count(number: int, noun: str, plural: str) -> str:
    """A number with its noun, as in `1 error` and `2 errors`."""
    return f"{number} {noun if number == 1 else plural}"


def lines(rows: Sequence[str]) -> str:
    """Ends each row with a line break."""
    return "".join(f"{row}\n" for row in rows)

"""The Python blocks of a Markdown or MyST document as one module, and the way back into the document.

The sources are CommonMark (0.31, Fenced code blocks) and MyST's guide to directives: ` ```python `, ` ```{code-cell} `,
` ```{code-block} python ` and the same with `~~~` or `:::`. A line of the document is one line of the module, with
the same columns but for the indentation of the fence; lines that are not Python are blank.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pallas_lsp.findings import Edit, Position, Range
from pallas_lsp.notebooks.cells import BOUNDARY, JoinedCells
from pallas_lsp.notebooks.magics import BLOCK_HEADER, PythonCell, as_python
from pallas_lsp.text import SourceText

SUFFIXES = (".md", ".markdown", ".myst", ".mystnb", ".qmd")
"""How the names of such documents end."""

LANGUAGES = ("markdown", "myst", "quarto", "rmd")
"""What editors call their language (LSP 3.17, TextDocumentItem.languageId)."""

_FENCE = re.compile(r"([ \t]*)(`{3,}|~{3,}|:{3,})(.*)")
_PYTHON = frozenset({"python", "python3", "py", "py3", "ipython", "ipython3"})
_DIRECTIVE = re.compile(r"\{([\w:-]+)\}[ \t]*(.*)")
_CODE_DIRECTIVES = frozenset({"code-cell", "code-block", "code", "sourcecode", "jupyter-execute", "ipython"})
_OPTION = re.compile(r":[\w-]+:(?:[ \t].*)?")
_LINE_BREAK = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class _Block:
    """The inside of a fence: its first line, how much indentation each line has lost, and its text."""

    first_line: int
    removed: tuple[int, ...]
    text: str


@dataclass(frozen=True)
class MarkdownBlocks:
    """The Python blocks of a document; the document is the one cell.

    Args:
      document: the text.
      blocks: its Python, as a notebook would have it.
    """

    document: str
    blocks: JoinedCells
    _removed: tuple[tuple[int, ...], ...]

    @property
    def cells(self) -> tuple[str | None, ...]:
        """The document."""
        return (self.document,)

    @property
    def text(self) -> str:
        """The module."""
        return self.blocks.text

    def first_line(self, cell: int) -> int:
        """The first line: that of the document is that of the module."""
        return 0

    def cell_at(self, line: int) -> int | None:
        """0 for a line of a block, None for any other."""
        return None if self.blocks.cell_at(line) is None else 0

    def locate(self, range: Range) -> tuple[int, Range]:
        """The range of the document that is a range of the module, cut at the block's end."""
        if not self._removed:
            return 0, range
        block, inner = self.blocks.locate(range)
        return 0, self._outside(block, inner)

    def joined(self, cell: int, range: Range) -> Range:
        """The range of the module that is a range of the document."""
        return Range(*map(self._inside, (range.start, range.end)))

    def edits_by_cell(self, edits: Iterable[Edit]) -> dict[int, tuple[Edit, ...]]:
        """Edits of the module as edits of the document, with its line breaks and the indentation of the fence.

        Raises:
          RefusedEdit: one is not in one block, or would change a magic.
        """
        placed = [
            Edit(self._outside(block, edit.range), self._indented(block, edit.new_text))
            for block, inner in self.blocks.edits_by_cell(edits).items()
            for edit in inner
        ]
        return {0: tuple(placed)} if placed else {}

    def rejoin(self, cells: tuple[str | None, ...]) -> MarkdownBlocks:
        """The blocks of a later version of the document."""
        return join_blocks(cells[0] or "")

    def _outside(self, block: int, range: Range) -> Range:
        first, removed = self.blocks.first_line(block), self._removed[block]
        places = (
            Position(place.line + first, place.character + removed[min(place.line, len(removed) - 1)])
            for place in (range.start, range.end)
        )
        return Range(*places)

    def _inside(self, place: Position) -> Position:
        block = self.blocks.cell_at(place.line)
        if block is None:
            return place
        removed = self._removed[block]
        line = min(place.line - self.blocks.first_line(block), len(removed) - 1)
        return Position(place.line, max(0, place.character - removed[line]))

    def _indented(self, block: int, text: str) -> str:
        indentation = " " * max(self._removed[block], default=0)
        return re.sub(r"(\r\n|\r|\n)(?=[^\r\n])", lambda found: found[0] + indentation, text) if indentation else text


def join_blocks(document: str) -> MarkdownBlocks:
    """Makes one module of the Python blocks of a document, in their order. Never fails, whatever the text is."""
    lines = _LINE_BREAK.split(document)
    blocks = [*_blocks(lines)]
    codes = [as_python(block.text) for block in blocks]
    module = [""] * len(lines)
    last = 0
    previous: PythonCell | None = None
    for block, code in zip(blocks, codes, strict=True):
        apart = BOUNDARY.splitlines()
        if previous is not None and not (previous.is_intact and code.is_intact):
            # There is room between two blocks, but for two fences without a line between them.
            room = block.first_line - last - code.is_indented
            if room >= len(apart):
                module[last : last + len(apart)] = apart
        if code.is_indented:
            module[block.first_line - 1] = BLOCK_HEADER.rstrip()
        inside = code.text.split("\n")
        module[block.first_line : block.first_line + len(inside)] = inside
        last = block.first_line + len(inside)
        previous = code
    newline = SourceText(document).newline()
    joined = JoinedCells(
        tuple(block.text.replace("\n", newline) for block in blocks),
        "\n".join(module),
        tuple(range(len(blocks))),
        tuple(block.first_line for block in blocks),
        tuple(codes),
    )
    return MarkdownBlocks(document, joined, tuple(block.removed for block in blocks))


def _blocks(lines: list[str]) -> Iterator[_Block]:
    """The Python blocks that are not empty."""
    containers: list[str] = []
    number = 0
    while number < len(lines):
        fence = _FENCE.fullmatch(lines[number])
        number += 1
        if fence is None:
            continue
        indentation, mark, info = fence[1], fence[2], fence[3].strip(" \t")
        if not info and containers and _closes(mark, containers[-1]):
            containers.pop()
            continue
        if mark.startswith("`") and "`" in info:
            continue  # code within a line
        directive = _DIRECTIVE.fullmatch(info)
        if directive is not None and directive[1] not in _CODE_DIRECTIVES and directive[1].lower() not in _PYTHON:
            containers.append(mark)  # What is in a note is Markdown again.
            continue
        if mark.startswith(":") and directive is None:
            containers.append(mark)
            continue
        first = number
        while number < len(lines) and not _ends(lines[number], mark):
            number += 1
        if _is_python(info, directive):
            first += _options(lines[first:number]) if directive is not None else 0
            inside = lines[first:number]
            if any(line.strip() for line in inside):
                removed = tuple(_common(line, indentation) for line in inside)
                text = "\n".join(line[cut:] for line, cut in zip(inside, removed, strict=True))
                yield _Block(first, removed, text)
        number += 1


def _closes(mark: str, opening: str) -> bool:
    return mark[0] == opening[0] and len(mark) >= len(opening)


def _ends(line: str, opening: str) -> bool:
    fence = _FENCE.fullmatch(line)
    return fence is not None and not fence[3].strip(" \t") and _closes(fence[2], opening)


def _is_python(info: str, directive: re.Match[str] | None) -> bool:
    if directive is None:
        # Pandoc writes {.python}, Rust's habit is python,ignore.
        return re.split(r"[\s,{:]", info.removeprefix("{").lstrip("."), maxsplit=1)[0].rstrip("}").lower() in _PYTHON
    name, argument = directive.groups()
    if name.lower() in _PYTHON:
        return True
    language = argument.split(maxsplit=1)[0].lower() if argument.strip() else ""
    return language in _PYTHON or (not language and name in ("code-cell", "jupyter-execute"))


def _options(lines: list[str]) -> int:
    """How many lines at the start of a directive are its options: `:key: value`, or YAML between dashes."""
    if lines and lines[0].strip() == "---":
        return next((number + 1 for number, line in enumerate(lines[1:], 1) if line.strip() == "---"), 0)
    return next((number for number, line in enumerate(lines) if not _OPTION.fullmatch(line.strip())), len(lines))


def _common(line: str, indentation: str) -> int:
    """How many characters of the fence's indentation a line has."""
    length = 0
    while length < min(len(line), len(indentation)) and line[length] in " \t":
        length += 1
    return length

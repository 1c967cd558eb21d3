"""`.ipynb` files (nbformat 3 and 4, https://nbformat.readthedocs.io): their cells, and changed cells back into them."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from pallas_lsp.notebooks.json_text import after_space, elements, member_starts, value_end

_ESCAPED = re.compile(r"\\u(?!00[01][0-9a-fA-F])[0-9a-fA-F]{4}")
_SURROGATE = re.compile("[\ud800-\udfff]")


class NotebookError(ValueError):
    """Why some data is not a notebook of Python code; the text is for the user."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a notebook.

    Args:
      source: its text.
      is_python: whether it is Python code, and not text or code in another language.
    """

    source: str
    is_python: bool


@dataclass(frozen=True, slots=True)
class Notebook:
    """A notebook of Python code. `Notebook.of` reads one.

    Args:
      cells: all of them, in order.
    """

    cells: tuple[Cell, ...]
    _version: int
    _text: str
    _start: int

    @staticmethod
    def of(data: bytes | str) -> Notebook:
        """Reads the contents of an `.ipynb` file.

        Raises:
          NotebookError: it is not JSON in UTF-8, not a notebook of nbformat 3 or 4, or its language is not Python.
        """
        try:
            text = data.decode("utf-8") if isinstance(data, bytes) else data
            start = 1 if text.startswith("\ufeff") else 0
            content = json.loads(text[start:])
        except RecursionError:
            raise NotebookError("it is nested too deeply") from None
        except UnicodeDecodeError as error:
            raise NotebookError(f"it is not UTF-8: {error.reason} at byte {error.start}") from None
        except ValueError as error:
            raise NotebookError(f"it is not JSON: {error}") from None
        version = content.get("nbformat") if isinstance(content, dict) else None
        if version not in (3, 4):
            known = "it is not a notebook" if version is None else f"nbformat {version!r} is not known"
            raise NotebookError(known)
        language = _language(content)
        if language != "python":
            raise NotebookError(f"its language is {language}, not Python")
        cells = tuple(_cell(cell, number, version) for number, cell in enumerate(_cells(content), 1))
        return Notebook(cells, version, text, after_space(text, start))

    @property
    def sources(self) -> tuple[str | None, ...]:
        """The texts of the cells; None for one that is not Python code."""
        return tuple(cell.source if cell.is_python else None for cell in self.cells)

    def with_cells(self, sources: Mapping[int, str]) -> bytes:
        """The contents of the file with other texts for some cells, by number. All else stays as it is, byte by byte.

        Raises:
          ValueError: a cell is not Python code.
        """
        changed = {number: source for number, source in sources.items() if self.cells[number].source != source}
        for number in changed:
            if not self.cells[number].is_python:
                raise ValueError(f"cell {number + 1} is not Python code")
        parts: list[str] = []
        done = 0
        if changed:
            ascii_only = self._text.isascii() and _ESCAPED.search(self._text) is not None
            for number, start in enumerate(self._source_starts()):
                if number in changed:
                    parts += (self._text[done:start], _source(self._text, start, changed[number], ascii_only))
                    done = value_end(self._text, start)
        parts.append(self._text[done:])
        return "".join(parts).encode("utf-8", "surrogatepass")

    def _source_starts(self) -> list[int]:
        """The offsets of the texts of the cells."""
        text = self._text
        root = member_starts(text, self._start)
        if self._version == 4:
            arrays = [root["cells"]]
        else:
            arrays = [member_starts(text, sheet)["cells"] for sheet, _ in elements(text, root["worksheets"])]
        cells = (member_starts(text, cell) for array in arrays for cell, _ in elements(text, array))
        return [cell[_source_key(cell, self._version)] for cell in cells]


def _language(content: dict[str, Any]) -> str:
    """The language of a notebook in lower case: what ran it last knows best. It is Python if nothing says otherwise."""
    metadata = content.get("metadata")
    for part, key in (("language_info", "name"), ("kernelspec", "language")):
        described = metadata.get(part) if isinstance(metadata, dict) else None
        language = described.get(key) if isinstance(described, dict) else None
        if isinstance(language, str) and language:
            return language.lower()
    return "python"


def _cells(content: dict[str, Any]) -> list[Any]:
    """The cells of a notebook; nbformat 3 has them in worksheets."""
    holders = [content] if content["nbformat"] == 4 else content.get("worksheets")
    if not isinstance(holders, list):
        raise NotebookError("it has no worksheets")
    found = []
    for holder in holders:
        cells = holder.get("cells") if isinstance(holder, dict) else None
        if not isinstance(cells, list):
            raise NotebookError("it has no cells")
        found += cells
    return found


def _source_key(cell: Collection[str], version: int) -> str:
    """The key under which a cell has its text; code of nbformat 3 has its own."""
    return "input" if version == 3 and "input" in cell else "source"


def _cell(cell: object, number: int, version: int) -> Cell:
    if not isinstance(cell, dict):
        raise NotebookError(f"cell {number} is not an object")
    source = cell.get(_source_key(cell, version))
    if isinstance(source, list) and all(isinstance(part, str) for part in source):
        source = "".join(source)
    if not isinstance(source, str):
        raise NotebookError(f"cell {number} has no text")
    return Cell(source, cell.get("cell_type") == "code" and _cell_language(cell) in (None, "python"))


def _cell_language(cell: dict[str, Any]) -> object:
    """The language of a cell if it says so: nbformat 3 does, and VS Code where it is not the notebook's."""
    if "language" in cell:
        return cell["language"]
    metadata = cell.get("metadata")
    editor = metadata.get("vscode") if isinstance(metadata, dict) else None
    return editor.get("languageId") if isinstance(editor, dict) else None


def _source(text: str, start: int, source: str, ascii_only: bool) -> str:
    """The JSON of a cell's text in place of the value at an offset: a string or a list, and laid out alike."""
    if text[start] == '"':
        return _string(source, ascii_only)
    old = [*elements(text, start)]
    if not old:
        return f"[{', '.join(_string(line, ascii_only) for line in source.splitlines(keepends=True))}]"
    written = {json.loads(text[first:last]): text[first:last] for first, last in old}
    lines = [written.get(line) or _string(line, ascii_only) for line in source.splitlines(keepends=True)]
    opening, closing = text[start : old[0][0]], text[old[-1][1] : value_end(text, start)]
    if len(old) > 1:
        separator = text[old[0][1] : old[1][0]]
    else:
        separator = f",{opening[1:] or ' '}"
    return opening + separator.join(lines) + closing if lines else "[]"


def _string(text: str, ascii_only: bool) -> str:
    """A JSON string. Lone surrogates are always escaped: UTF-8 has none."""
    written = json.dumps(text, ensure_ascii=ascii_only)
    return _SURROGATE.sub(lambda found: f"\\u{ord(found.group()):04x}", written)

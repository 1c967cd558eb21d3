"""The texts that the client owns: open documents, and notebooks with their cells, as immutable versions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from lsprotocol import types

from pallas_lsp.findings import Edit, Range
from pallas_lsp.lsp import uris
from pallas_lsp.lsp.changes import apply_changes
from pallas_lsp.notebooks.cells import Joined, join
from pallas_lsp.notebooks.markdown import LANGUAGES, SUFFIXES, MarkdownBlocks, join_blocks
from pallas_lsp.text import PositionEncoding, SourceText


@dataclass(frozen=True, slots=True)
class Document:
    """One version of a text document or of a notebook's cell. `uri` is spelt as the client spells it."""

    uri: str
    version: int
    text: SourceText


@dataclass(frozen=True, slots=True)
class Part:
    """A document within a unit: its lines are the unit's from `first_line` on.

    Args:
      document: a version of it.
      first_line: 0-based.
      blocks: where its Python is, if it is Markdown; the columns of indented blocks differ.
    """

    document: Document
    first_line: int
    blocks: MarkdownBlocks | None = None


@dataclass(frozen=True, slots=True)
class Unit:
    """What is checked as one program: a document, or the Python cells of a notebook, one after the other.

    Args:
      uri: of the document or the notebook.
      path: of its file; empty if it has none.
      revision: grows with every change of the unit and is never used twice, unlike a client's versions.
      text: that is checked.
      parts: in the order of the text; none for a notebook without Python.
      is_notebook: whether the client has a document for each cell.
      joined: how the text was made of a notebook's cells; None for a module, whose text is the document's.
    """

    uri: str
    path: str
    revision: int
    text: SourceText
    parts: tuple[Part, ...]
    is_notebook: bool
    joined: Joined | None

    def locate(self, range: Range) -> tuple[Part, Range]:
        """The part in which a range of the text starts, and the range within it, cut at the part's end."""
        if self.joined is None:
            return self.parts[0], range
        number, inner = self.joined.locate(range)
        return self.parts[number], inner

    def edits_by_part(self, edits: Sequence[Edit]) -> dict[int, tuple[Edit, ...]]:
        """Edits of the text as edits of the parts, by their numbers.

        Raises:
          RefusedEdit: the cells of the notebook do not admit one.
        """
        return {0: tuple(edits)} if self.joined is None else self.joined.edits_by_cell(edits)

    def part(self, uri: str) -> Part | None:
        """The part that is a document's; None for a cell that is not code."""
        return next((part for part in self.parts if part.document.uri == uri), None)


class Documents:
    """What is open in the client. Everything that is not Python is ignored.

    Args:
      encoding: the unit of the client's columns.
    """

    def __init__(self, encoding: PositionEncoding) -> None:
        self._encoding = encoding
        self._revision = 0
        self._documents: dict[str, Document] = {}
        self._markdown: set[str] = set()
        self._notebooks: dict[str, list[types.NotebookCell]] = {}
        self._owners: dict[str, str] = {}
        self._units: dict[str, Unit] = {}

    def __iter__(self) -> Iterator[Unit]:
        """The units that are open, the one opened first at first."""
        return iter(tuple(self._units.values()))

    def unit(self, uri: str) -> Unit | None:
        """The unit of a document, a cell or a notebook; None if it is not open or not Python."""
        return self._units.get(self._owners.get(uri, uri))

    def is_current(self, unit: Unit) -> bool:
        """Whether a unit has not been changed or closed since. May be asked from any thread."""
        return self._units.get(unit.uri) is unit

    def open(self, item: types.TextDocumentItem) -> Unit | None:
        """Opens a document, or opens it anew; None if it is not Python."""
        if _is_markdown(item):
            self._markdown.add(item.uri)
        elif not _is_python(item):
            return None
        self._documents[item.uri] = _document(item)
        return self._renew_document(item.uri)

    def change(self, uri: str, version: int, changes: Sequence[types.TextDocumentContentChangeEvent]) -> Unit | None:
        """Changes the text of a document; None if it is not open."""
        return self._renew_document(uri) if self._change_text(uri, version, changes) else None

    def close(self, uri: str) -> Unit | None:
        """Closes a document; what its unit was, None if it was not open."""
        self._documents.pop(uri, None)
        self._markdown.discard(uri)
        return self._units.pop(uri, None)

    def open_notebook(
        self, uri: str, cells: Iterable[types.NotebookCell], items: Iterable[types.TextDocumentItem]
    ) -> Unit:
        """Opens a notebook with its cells and their texts."""
        self._notebooks[uri] = list(cells)
        self._open_cells(uri, items)
        return self._renew_notebook(uri)

    def change_notebook(self, uri: str, changes: types.NotebookDocumentCellChanges) -> Unit | None:
        """Changes the cells of a notebook; None if it is not open."""
        if (cells := self._notebooks.get(uri)) is None:
            return None
        if structure := changes.structure:
            start = structure.array.start
            cells[start : start + structure.array.delete_count] = structure.array.cells or ()
            # A cell whose language changes is closed and opened in one message.
            self._close_cells(identifier.uri for identifier in structure.did_close or ())
            self._open_cells(uri, structure.did_open or ())
        if changes.data:
            changed = {cell.document: cell for cell in changes.data}
            cells[:] = (changed.get(cell.document, cell) for cell in cells)
        for content in changes.text_content or ():
            self._change_text(content.document.uri, content.document.version, content.changes)
        return self._renew_notebook(uri)

    def close_notebook(self, uri: str) -> Unit | None:
        """Closes a notebook and its cells; what its unit was, None if it was not open."""
        self._notebooks.pop(uri, None)
        self._close_cells([cell for cell, owner in self._owners.items() if owner == uri])
        return self._units.pop(uri, None)

    def _change_text(self, uri: str, version: int, changes: Sequence[types.TextDocumentContentChangeEvent]) -> bool:
        if (document := self._documents.get(uri)) is None:
            return False
        self._documents[uri] = Document(uri, version, apply_changes(document.text, changes, self._encoding))
        return True

    def _open_cells(self, notebook: str, items: Iterable[types.TextDocumentItem]) -> None:
        for item in filter(_is_python, items):
            self._documents[item.uri] = _document(item)
            self._owners[item.uri] = notebook

    def _close_cells(self, cells: Iterable[str]) -> None:
        for cell in cells:
            self._documents.pop(cell, None)
            self._owners.pop(cell, None)

    def _renew_document(self, uri: str) -> Unit:
        document = self._documents[uri]
        if uri in self._markdown:
            blocks = join_blocks(document.text.text)
            return self._renew(
                uri, SourceText(blocks.text), (Part(document, 0, blocks),), is_notebook=False, joined=blocks
            )
        if uris.to_path(uri).endswith(".ipynb"):
            # JupyterLab makes one document of all the cells of a notebook.
            return self._renew_cells(uri, [document], is_notebook=False)
        return self._renew(uri, document.text, (Part(document, 0),), is_notebook=False, joined=None)

    def _renew_notebook(self, uri: str) -> Unit:
        documents = [
            self._documents[cell.document]
            for cell in self._notebooks[uri]
            if cell.kind == types.NotebookCellKind.Code and cell.document in self._documents
        ]
        return self._renew_cells(uri, documents, is_notebook=True)

    def _renew_cells(self, uri: str, documents: Sequence[Document], *, is_notebook: bool) -> Unit:
        joined = join([document.text.text for document in documents])
        parts = (Part(document, joined.first_line(number)) for number, document in enumerate(documents))
        return self._renew(uri, SourceText(joined.text), tuple(parts), is_notebook=is_notebook, joined=joined)

    def _renew(
        self, uri: str, text: SourceText, parts: tuple[Part, ...], *, is_notebook: bool, joined: Joined | None
    ) -> Unit:
        self._revision += 1
        unit = Unit(uri, uris.to_path(uri), self._revision, text, parts, is_notebook, joined)
        self._units[uri] = unit
        return unit


def _document(item: types.TextDocumentItem) -> Document:
    return Document(item.uri, item.version, SourceText(item.text))


def _is_python(item: types.TextDocumentItem) -> bool:
    return item.language_id == "python" or uris.to_path(item.uri).endswith((".py", ".pyi"))


def _is_markdown(item: types.TextDocumentItem) -> bool:
    return item.language_id in LANGUAGES or uris.to_path(item.uri).endswith(SUFFIXES)

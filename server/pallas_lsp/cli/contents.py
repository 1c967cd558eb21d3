"""What is in a file: the text of a module, or the cells of a notebook; how each is checked, mended and written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

from pallas_lsp.check import check
from pallas_lsp.config import Settings
from pallas_lsp.findings import Finding, Fix, Notice, Report
from pallas_lsp.fixing import fix_all
from pallas_lsp.notebooks.cells import join
from pallas_lsp.notebooks.checking import NotebookReport, check_document, check_notebook, fix_joined
from pallas_lsp.notebooks.file import Notebook, NotebookError
from pallas_lsp.notebooks.markdown import SUFFIXES, join_blocks
from pallas_lsp.semantics.project import Project
from pallas_lsp.text import Decoded, SourceText, UndecodableError, decode, encode

Applied = tuple[tuple[Finding, Fix], ...]


class Contents(Protocol):
    """A version of what is in a file."""

    @property
    def sources(self) -> tuple[SourceText, ...]:
        """The text, or those of the cells; empty for a cell that is not Python."""

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What was found when the file was decoded."""

    @property
    def is_notebook(self) -> bool:
        """Whether the texts are cells."""

    def report(self, settings: Settings, path: str, project: Project) -> Report | NotebookReport:
        """Checks it; places are in the text, or in the cell that they name."""

    def mended(self, settings: Settings, path: str, project: Project) -> tuple[Contents, Applied]:
        """The version after mending what the settings allow to mend, and what was applied."""

    def with_texts(self, texts: Sequence[str]) -> Contents:
        """The version with other texts, as many as `sources` has."""

    def encoded(self) -> bytes:
        """The bytes of the file.

        Raises:
          UnicodeEncodeError: its encoding lacks a character.
        """


def contents_of(data: bytes, path: str) -> Contents:
    """Reads what is in a file; its name tells a notebook.

    Raises:
      UndecodableError: it is not text, or not a notebook of Python code.
    """
    if path.endswith(SUFFIXES):
        decoded = decode(data)
        return _Document(decoded.text, decoded)
    if not path.endswith(".ipynb"):
        decoded = decode(data)
        return _Module(decoded.text, decoded)
    try:
        notebook = Notebook.of(data)
    except NotebookError as error:
        raise UndecodableError(str(error)) from None
    return _Cells(notebook.sources, notebook)


@dataclass(frozen=True, slots=True)
class _Module:
    text: str
    decoded: Decoded

    @property
    def sources(self) -> tuple[SourceText, ...]:
        return (SourceText(self.text),)

    @property
    def notices(self) -> tuple[Notice, ...]:
        return self.decoded.notices

    @property
    def is_notebook(self) -> bool:
        return False

    def report(self, settings: Settings, path: str, project: Project) -> Report:
        return check(self.text, settings, path=path, project=project)

    def mended(self, settings: Settings, path: str, project: Project) -> tuple[Contents, Applied]:
        fixed = fix_all(self.text, settings, path=path, project=project, unsafe=settings.unsafe_fixes)
        return self.with_texts((fixed.text,)), fixed.applied

    def with_texts(self, texts: Sequence[str]) -> Contents:
        (text,) = texts
        return replace(self, text=text)

    def encoded(self) -> bytes:
        return encode(self.text, self.decoded)


@dataclass(frozen=True, slots=True)
class _Document(_Module):
    """A Markdown document with blocks of Python."""

    def report(self, settings: Settings, path: str, project: Project) -> Report:
        return check_document(self.text, settings, path=path, project=project)

    def mended(self, settings: Settings, path: str, project: Project) -> tuple[Contents, Applied]:
        fixed = fix_joined(join_blocks(self.text), settings, path=path, project=project, unsafe=settings.unsafe_fixes)
        return self.with_texts((fixed.cells[0] or "",)), fixed.applied


class _Cells(NamedTuple):
    texts: tuple[str | None, ...]
    notebook: Notebook

    @property
    def sources(self) -> tuple[SourceText, ...]:
        return tuple(SourceText(text or "") for text in self.texts)

    @property
    def notices(self) -> tuple[Notice, ...]:
        return ()

    @property
    def is_notebook(self) -> bool:
        return True

    def report(self, settings: Settings, path: str, project: Project) -> NotebookReport:
        return check_notebook(self.texts, settings, path=path, project=project)

    def mended(self, settings: Settings, path: str, project: Project) -> tuple[Contents, Applied]:
        fixed = fix_joined(join(self.texts), settings, path=path, project=project, unsafe=settings.unsafe_fixes)
        return self._replace(texts=fixed.cells), fixed.applied

    def with_texts(self, texts: Sequence[str]) -> Contents:
        kept = (None if old is None else new for old, new in zip(self.texts, texts, strict=True))
        return self._replace(texts=tuple(kept))

    def encoded(self) -> bytes:
        return self.notebook.with_cells({number: text for number, text in enumerate(self.texts) if text is not None})

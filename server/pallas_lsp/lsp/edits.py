"""Edits as LSP has them: the smallest that turn one text into another, and a `WorkspaceEdit` of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher

from lsprotocol import types

from pallas_lsp.findings import Edit, Fix, Range
from pallas_lsp.lsp.capabilities import Client
from pallas_lsp.lsp.changes import lines_with_breaks
from pallas_lsp.lsp.convert import to_client_range
from pallas_lsp.lsp.documents import Unit
from pallas_lsp.text import SourceText

_CONFIRM = "unsafe"

EditsByPart = Mapping[int, Sequence[Edit]]
"""Edits of the parts of a unit, by the numbers of the parts; sorted and disjoint in each."""


def minimal_edits(old: SourceText, new: str) -> tuple[Edit, ...]:
    """The edits that turn `old` into `new`. Lines that stay are not touched, nor is what a changed line keeps."""
    before, after = lines_with_breaks(old.text), lines_with_breaks(new)
    same = _common(before, after)
    edits: list[Edit] = []
    offset = sum(map(len, before[:same]))
    for tag, begin, end, new_begin, new_end in SequenceMatcher(None, before[same:], after[same:]).get_opcodes():
        removed, added = before[same + begin : same + end], after[same + new_begin : same + new_end]
        if tag != "equal":
            edits += _replacements(old, offset, removed, added)
        offset += sum(map(len, removed))
    return tuple(edits)


def _replacements(old: SourceText, offset: int, removed: Sequence[str], added: Sequence[str]) -> Iterator[Edit]:
    """Edits for lines that start at `offset`: line by line if none are inserted or deleted, else one edit."""
    if len(removed) != len(added):
        removed, added = ["".join(removed)], ["".join(added)]
    for before, after in zip(removed, added, strict=True):
        if before != after:
            yield _replacement(old, offset, before, after)
        offset += len(before)


def _replacement(old: SourceText, offset: int, before: str, after: str) -> Edit:
    start = _common(before, after)
    kept = _common(before[start:][::-1], after[start:][::-1])
    # A position cannot be inside of a line break.
    if before[start - 1 : start + 1] == "\r\n":
        start -= 1
    end = len(before) - kept
    if before[end - 1 : end + 1] == "\r\n":
        kept -= 1
        end += 1
    return Edit(Range(old.position(offset + start), old.position(offset + end)), after[start : len(after) - kept])


def _common(before: Sequence[str], after: Sequence[str]) -> int:
    """How many items are the same from the start on."""
    pairs = enumerate(zip(before, after, strict=False))
    return next((index for index, (old, new) in pairs if old != new), min(len(before), len(after)))


def workspace_edit(
    unit: Unit, edits: EditsByPart, client: Client, *, confirm: Fix | None = None
) -> types.WorkspaceEdit:
    """Edits of a unit as the client takes them.

    Args:
      unit: the version that the edits are for.
      edits: of its parts.
      client: decides the form: with versions or without, with annotations or without.
      confirm: the unsafe fix that the edits are, for clients that ask the user before they apply one.
    """
    annotated = confirm is not None and client.confirmed_edits
    parts = [(unit.parts[number].document, edits_of_part) for number, edits_of_part in edits.items()]
    changes = {
        document.uri: [
            types.TextEdit(to_client_range(document.text, edit.range, client.encoding), edit.new_text)
            for edit in edits_of_part
        ]
        for document, edits_of_part in parts
    }
    if not client.document_changes:
        return types.WorkspaceEdit(changes=changes)
    return types.WorkspaceEdit(
        document_changes=[
            types.TextDocumentEdit(
                types.OptionalVersionedTextDocumentIdentifier(document.uri, document.version),
                [types.AnnotatedTextEdit(_CONFIRM, edit.range, edit.new_text) for edit in changes[document.uri]]
                if annotated
                else changes[document.uri],
            )
            for document, _ in parts
        ],
        change_annotations={
            _CONFIRM: types.ChangeAnnotation(confirm.title, needs_confirmation=True, description=confirm.reason)
        }
        if annotated and confirm is not None
        else None,
    )

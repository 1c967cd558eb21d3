"""Puts comments into files that hide what was found in them."""

from __future__ import annotations

from collections.abc import Iterable

from pallas_lsp.cli.contents import Contents
from pallas_lsp.cli.results import cell_of
from pallas_lsp.findings import Finding
from pallas_lsp.suppressions import ignoring
from pallas_lsp.text import SourceText


def with_ignores(contents: Contents, findings: Iterable[Finding]) -> tuple[Contents, int]:
    """A version of a file in which comments hide findings, and how many of them could be hidden."""
    texts = [source.text for source in contents.sources]
    hidden = 0
    for finding in findings:
        number = cell_of(finding) or 0
        source = SourceText(texts[number])
        # A comment moves nothing but what stands behind it, so the places of the other findings stay right.
        edit = ignoring(source, finding)
        if edit is not None:
            texts[number] = source.replaced((edit,))
            hidden += 1
    return contents.with_texts(texts), hidden

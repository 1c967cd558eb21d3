"""What a command has to say about a file, before it is written in some format."""

from __future__ import annotations

from typing import NamedTuple

from pallas_lsp.findings import Finding, Fix, Notice
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
      original: the text before fixing.
      source: the text after fixing, which the violations are about.
      violations: in the order of the text.
      notices: what was not analysed.
      fixed: what was mended, or would be.
    """

    path: str
    shown: str
    original: str
    source: SourceText
    violations: tuple[Violation, ...]
    notices: tuple[Notice, ...]
    fixed: tuple[tuple[Finding, Fix], ...] = ()
